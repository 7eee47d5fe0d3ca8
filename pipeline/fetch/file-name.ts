import type { FeedFile } from '../feeds/feed.js';
import { matchesName } from '../feeds/name-pattern.js';

/** What says how a downloaded file is called. */
export interface NameSources {
  /** The URLs asked, first and after redirects. */
  readonly urls: readonly URL[];
  /** Content-Disposition of the answer. */
  readonly disposition: string | undefined;
  readonly saveAs: string | undefined;
}

/**
 * The name to keep a file as, in the folder that is expected: the publisher's, from the URL, a redirect's URL or Content-Disposition, whichever comes
 * first and matches the name that is expected; else `saveAs`. A file expected under one name is kept as that. Absent
 * when nothing says it.
 */
export function fileName(expected: FeedFile, { urls, disposition, saveAs }: NameSources): string | undefined {
  if (!expected.name.includes('*')) return expected.name;
  const folder = expected.name.slice(0, expected.name.lastIndexOf('/') + 1);
  const told = [...urls.map(lastPart), dispositionName(disposition), saveAs];
  const name = told.find(
    (one) => one !== undefined && isPlain(one) && matchesName(expected.name, folder + one),
  );
  return name === undefined ? undefined : folder + name;
}

/** The file name of a Content-Disposition header (RFC 6266): `attachment; filename="a.zip"`, or the extended form. */
export function dispositionName(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, extended] = /;\s*filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(header) ?? [];
  if (extended !== undefined) return decode(extended);
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(header) ?? [];
  return quoted ?? bare;
}

function lastPart(url: URL): string | undefined {
  return decode(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** A server names a file, never a folder or a hidden file. */
function isPlain(name: string): boolean {
  return /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(name);
}

import type { PublishedFile } from '../input/published-source.js';
import { matchesName } from '../input/name-pattern.js';

/** Sources for the name of a downloaded file. */
export interface NameSources {
  /** The requested URL and the one after redirects. */
  readonly urls: readonly URL[];
  /** Content-Disposition of the response. */
  readonly disposition: string | undefined;
  readonly saveAs: string | undefined;
}

/**
 * Returns the name for a file, in the expected folder. An expected name without a wildcard is used as it is. Otherwise
 * the first name that matches the expected pattern: from the URLs, Content-Disposition, then `saveAs`. Absent when none
 * matches.
 */
export function fileName(
  expected: PublishedFile,
  { urls, disposition, saveAs }: NameSources,
): string | undefined {
  if (!expected.name.includes('*')) return expected.name;
  const folder = expected.name.slice(0, expected.name.lastIndexOf('/') + 1);
  const names = [...urls.map(lastPart), dispositionName(disposition), saveAs];
  const name = names.find(
    (one) => one !== undefined && isPlain(one) && matchesName(expected.name, folder + one),
  );
  return name === undefined ? undefined : folder + name;
}

/**
 * Returns the file name of a Content-Disposition header (RFC 6266): `attachment; filename="a.zip"`, or the extended
 * form.
 */
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

/** Returns whether a name is a plain file name: not a path, not hidden. */
function isPlain(name: string): boolean {
  return /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(name);
}

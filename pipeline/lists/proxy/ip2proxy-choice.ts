import type { OpenFile } from '../../input/published-source.js';
import { withZip } from '../../input/containers/zip-archive.js';
import { csvEntryOf } from '../../input/containers/csv-entry.js';
import { dayOfMs } from '../days.js';
import type { ProductFile } from './ip2proxy-files.js';

/** A file with its product and its date. */
export interface DatedFile {
  readonly file: OpenFile;
  readonly is: ProductFile;
  /** The day of the data, in days since 1970; undefined for a file that is not packed. */
  readonly day: number | undefined;
}

/** A file that is not read, and the file that is read instead. */
export interface Unread {
  readonly unread: DatedFile;
  readonly instead: DatedFile;
}

/** Finds the day of a file without reporting progress. Throws the errors of `withZip` and `csvEntryOf`. */
export async function dateFile(file: OpenFile, is: ProductFile): Promise<DatedFile> {
  if (file.container !== 'zip') return { file, is, day: undefined };
  const unwatched = { ...file, onRead: () => undefined };
  const date = await withZip(unwatched, (zip) => Promise.resolve(zip.modifiedAt(csvEntryOf(file, zip))));
  return { file, is, day: date && dayOfMs(date.getTime()) };
}

/**
 * Chooses the file to read per family: a commercial one that is less than 30 days older than the newest file, else the
 * newest. Among files of the same day it chooses the product with the most columns, then the first.
 */
export function chooseFiles(dated: readonly DatedFile[]): {
  readonly chosen: readonly DatedFile[];
  readonly left: readonly Unread[];
} {
  const chosen: DatedFile[] = [];
  const left: Unread[] = [];
  for (const family of [4, 6]) {
    const [first, ...others] = inOrder(dated.filter(({ is }) => is.family === family));
    if (first === undefined) continue;
    chosen.push(first);
    left.push(...others.map((unread) => ({ unread, instead: first })));
  }
  return { chosen, left };
}

/** The age in days at which a commercial file loses its precedence over a newer one. */
const COMMERCIAL_DAYS = 30;
/** Sorts files without a day after all others. */
const UNDATED = -1;

function inOrder(dated: readonly DatedFile[]): DatedFile[] {
  const newest = Math.max(...dated.map(({ day }) => day ?? UNDATED));
  const commercial = ({ is, day }: DatedFile): number =>
    Number(is.isCommercial && newest - (day ?? newest) < COMMERCIAL_DAYS);
  return [...dated].sort(
    (a, b) =>
      commercial(b) - commercial(a) || (b.day ?? UNDATED) - (a.day ?? UNDATED) || b.is.product - a.is.product,
  );
}

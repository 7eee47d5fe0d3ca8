import type { OpenFile } from '../feeds/feed.js';
import { withZip } from '../feeds/zip-archive.js';
import { csvEntryOf } from '../feeds/zip-table.js';
import { dayOfMs } from '../lists/days.js';
import type { ProductFile } from './ip2proxy-files.js';

/** A file, what its name tells, and the day its rows were written on. */
export interface DatedFile {
  readonly file: OpenFile;
  readonly is: ProductFile;
  /** Days since 1970; absent for a file that is not packed. */
  readonly day: number | undefined;
}

/** A file that is left unread, and the one that is read instead. */
export interface Unread {
  readonly unread: DatedFile;
  readonly instead: DatedFile;
}

/** Looks up the day of a file without counting it as read. Throws what `withZip` and `csvEntryOf` throw. */
export async function dateFile(file: OpenFile, is: ProductFile): Promise<DatedFile> {
  if (file.container !== 'zip') return { file, is, day: undefined };
  const unwatched = { ...file, onRead: () => undefined };
  const date = await withZip(unwatched, (zip) => Promise.resolve(zip.modifiedAt(csvEntryOf(file, zip))));
  return { file, is, day: date && dayOfMs(date.getTime()) };
}

/**
 * Of each family the file to read: a commercial one that is under 30 days older than the newest, else the newest;
 * of several of the same day the richest, of equal ones the first.
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

/** Days from which on a commercial snapshot is worth no more than a list of open proxies. */
const COMMERCIAL_DAYS = 30;
/** A file that tells no day stands behind all that do. */
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

import type { ManifestInputFile } from './contract.js';

/** The accepted rows of a geofeed by ownership (RFC 9632 §3). */
export interface GeofeedOwnership {
  readonly file: string;
  /** Rows in blocks whose registration names the geofeed. */
  readonly inside: number;
  /** Rows that such blocks contain partly. */
  readonly partly: number;
  readonly outside: number;
}

/**
 * Returns the ownership of the rows of each geofeed that was found through registrations, and of each listed one that
 * has rows outside of its blocks; the files with the most such rows first.
 */
export function geofeedOwnership(files: readonly ManifestInputFile[]): GeofeedOwnership[] {
  return files
    .filter(({ id, notes }) => id.startsWith(FOUND) || outsideOf(notes) + partlyOf(notes) > 0)
    .map(({ id, accepted, notes }) => {
      const [outside, partly] = [outsideOf(notes), partlyOf(notes)];
      return { file: id, inside: accepted - (notes['unknown'] ?? 0) - outside - partly, partly, outside };
    })
    .sort((a, b) => b.outside - a.outside || b.partly - a.partly || (a.file < b.file ? -1 : 1));
}

const FOUND = 'own/geofeeds-found/';

function outsideOf(notes: ManifestInputFile['notes']): number {
  return notes['not-referenced'] ?? 0;
}

function partlyOf(notes: ManifestInputFile['notes']): number {
  return notes['partly-referenced'] ?? 0;
}

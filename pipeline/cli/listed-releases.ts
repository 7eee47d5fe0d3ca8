import { alignColumns } from '../release/columns.js';
import { filesOfRelease } from '../release/contract.js';
import type { Pin } from '../release/pin.js';
import type { ListedRelease } from '../release/release-store.js';
import { printableLines } from '../text/printable.js';
import { ageText, figureText, sizeText } from '../text/figure-text.js';

/** A kept release in the list of `ipatlas releases --json`. */
export interface ReleaseRow {
  readonly id: string;
  readonly isCurrent: boolean;
  /** Until when a rollback keeps it current; absent if it is not pinned. */
  readonly pinned?: Pin['until'];
  /** Whether a rollback that holds replaced it. */
  readonly isRejected: boolean;
  /** The error of a release that cannot be used; the following fields are then absent. */
  readonly damaged?: string;
  /** Time of the build. */
  readonly built?: string;
  /** Age of the build in seconds. */
  readonly ageSeconds?: number;
  readonly sizeBytes?: number;
  /** Networks by file, of the files that the API answers from. */
  readonly networks?: Readonly<Record<string, number>>;
  readonly refusedFiles?: number;
}

/** Returns a row for each release. `nowMs` is in milliseconds since 1970. */
export function listedReleases(
  releases: readonly ListedRelease[],
  state: { readonly current: string | undefined; readonly pin: Pin | undefined; readonly nowMs: number },
): ReleaseRow[] {
  const { current, pin, nowMs } = state;
  return releases.map((release) => {
    const { id } = release;
    const row = {
      id,
      isCurrent: id === current,
      ...(pin?.release === id && { pinned: pin.until }),
      isRejected: pin?.rejected.some((rejected) => rejected.id === id) ?? false,
    };
    if ('damaged' in release) return { ...row, damaged: release.damaged };
    const { buildEpoch, files, inputs } = release.manifest;
    const served = files.filter(({ kind }) => kind === 'served');
    return {
      ...row,
      built: new Date(buildEpoch * 1000).toISOString(),
      ageSeconds: Math.max(0, Math.floor(nowMs / 1000) - buildEpoch),
      sizeBytes: filesOfRelease(release.manifest).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      networks: Object.fromEntries(served.map(({ name, coverage }) => [name, coverage.networks])),
      refusedFiles: inputs.reduce((sum, input) => sum + input.refusals.length, 0),
    };
  });
}

/** Returns the rows as a table of at most 80 columns; `*` marks the current release. */
export function describeListed(rows: readonly ReleaseRow[]): string {
  if (rows.length === 0) return 'no release yet: run make build-data';
  const lines = rows.map((row) => {
    const { id, isCurrent, damaged, ageSeconds, sizeBytes, networks } = row;
    const mark = isCurrent ? '*' : '';
    if (damaged !== undefined) return [mark, id, 'damaged', '', '', ''];
    const geo = figureText(networks?.['geo.mmdb'] ?? 0);
    return [mark, id, statesOf(row).join(', '), ageText(ageSeconds ?? 0), sizeText(sizeBytes ?? 0), geo];
  });
  const errors = rows.flatMap(({ id, damaged }) => (damaged === undefined ? [] : [`${id}: ${damaged}`]));
  const table = alignColumns([['', 'release', 'state', 'age', 'size', 'networks'], ...lines], 3);
  return printableLines([...table, ...errors]);
}

function statesOf({ pinned, isRejected, refusedFiles = 0 }: ReleaseRow): string[] {
  return [
    ...(pinned === undefined ? [] : [pinned === 'next' ? 'pinned (next)' : 'pinned']),
    ...(isRejected ? ['rolled back'] : []),
    ...(refusedFiles === 0 ? [] : [`${refusedFiles} refused`]),
  ];
}

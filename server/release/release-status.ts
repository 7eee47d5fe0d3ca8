import type { Manifest } from '../../pipeline/release/contract.js';
import type { Coverage, CoverageLevel } from '../../pipeline/release/contract.js';

/** One source of the release, without the names of files and the reasons of refusals: these are for the operator. */
export interface StatusInput {
  readonly source: string;
  readonly publisher: string;
  readonly licence: { readonly name: string; readonly url: string };
  readonly rows: number;
  /** When its newest file was last modified, ISO 8601; absent without files. */
  readonly newest?: string;
  /** Whether a new file was missing or refused, so that an older copy was used. */
  readonly isOlderCopy: boolean;
}

/** What went into a release, and how good it is. */
export interface ReleaseStatus {
  /** Whether the data is the bundled sample. */
  readonly isSample: boolean;
  readonly inputs: readonly StatusInput[];
  /** Of `geo.mmdb` by the finest level; absent in old releases. */
  readonly places?: Partial<Readonly<Record<CoverageLevel, Coverage>>>;
  readonly scorecard?: NonNullable<NonNullable<Manifest['datasets']>['geo']>['scorecard'];
  readonly changes?: Manifest['changes'];
}

/** Returns the part of a manifest that visitors may see (decision 92). */
export function statusOf({ source, inputs, files, datasets, changes }: Manifest): ReleaseStatus {
  const places = files.find(({ name }) => name === 'geo.mmdb')?.coverageByLevel;
  const scorecard = datasets?.geo?.scorecard;
  return {
    isSample: source === 'fixtures',
    inputs: inputs.map(statusOfInput),
    ...(places !== undefined && { places }),
    ...(scorecard !== undefined && { scorecard }),
    ...(changes !== undefined && { changes }),
  };
}

function statusOfInput({
  feed,
  publisher,
  licence,
  files,
  refusals,
}: Manifest['inputs'][number]): StatusInput {
  const newest = files
    .map(({ modified }) => modified)
    .sort()
    .at(-1);
  return {
    source: feed,
    publisher,
    licence: { name: licence.name, url: licence.url },
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    ...(newest !== undefined && { newest }),
    isOlderCopy: refusals.length > 0 || files.some(({ lastGood }) => lastGood),
  };
}

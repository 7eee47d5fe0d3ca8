import { FeedError } from '../feed-error.js';
import { readJsonValues } from '../json-values.js';
import type { Licence, OpenFile, PublishedFile } from '../published-source.js';
import { withDownload } from '../routing-downloads.js';
import type { ObjectKind } from './objects.js';

/** The folder of PeeringDB's files in the input directory. */
export const PEERINGDB_FOLDER = 'peeringdb';

/** The terms of PeeringDB. */
export const PEERINGDB_LICENCE: Licence = {
  name: 'PeeringDB acceptable use policy',
  url: 'https://www.peeringdb.com/aup',
  attribution: 'PeeringDB, https://www.peeringdb.com',
  terms: 'closed',
};

/** CAIDA's daily copy, with all kinds in one file. */
const DUMP = 'peeringdb_2_dump_*.json';

/** Returns the files with objects of these kinds: `<kind>-0.json`, `<kind>.json`, or a dump of all kinds. */
export function objectFiles(kinds: readonly ObjectKind[]): readonly PublishedFile[] {
  return [
    ...kinds.flatMap((kind) => [
      oneOf(`${kind}-0.json`, [`${kind}.json`, DUMP]),
      oneOf(`${kind}.json`, [`${kind}-0.json`, DUMP]),
    ]),
    oneOf(
      DUMP,
      kinds.flatMap((kind) => [`${kind}-0.json`, `${kind}.json`]),
    ),
  ];
}

function oneOf(name: string, alternatives: readonly string[]): PublishedFile {
  const take = name === DUMP ? 'latest' : 'all';
  return withDownload({
    folder: PEERINGDB_FOLDER,
    name,
    container: 'plain',
    required: false,
    take,
    alternatives,
    maxUnpackedBytes: 1_000_000_000,
  });
}

/** Each kind is read from one file, because an older snapshot would restore deleted objects. */
export function fileOfKind(kind: ObjectKind, files: readonly OpenFile[]): OpenFile | undefined {
  const named = (name: string): OpenFile | undefined => files.find((file) => file.name === name);
  return named(`${kind}-0.json`) ?? named(`${kind}.json`) ?? files.find(isDump);
}

/** Whether the file is a dump of all kinds; the others are `<kind>.json` and `<kind>-0.json`. */
function isDump(file: OpenFile): boolean {
  return file.name.startsWith('peeringdb_2_dump_');
}

/**
 * Visits the objects of some kinds in `{"data":[…]}`, or in the dump's `{"net":{"data":[…]},…}`. Positions are 1-based
 * in the list of a kind. Throws FeedError `header` for a kind without objects, and the errors of `readJsonValues`.
 */
export async function readObjects(
  file: OpenFile,
  kinds: readonly ObjectKind[],
  visit: (kind: ObjectKind, value: unknown, position: number) => void,
): Promise<void> {
  const positions = new Map(kinds.map((kind) => [kind, 0]));
  const paths = isDump(file) ? kinds.map((kind) => `$.${kind}.data.*`) : ['$.data.*'];
  await readJsonValues(file, paths, (member, value) => {
    const kind = isDump(file) ? (member as ObjectKind) : kinds[0]!;
    const position = positions.get(kind)! + 1;
    positions.set(kind, position);
    visit(kind, value, position);
  });
  const empty = kinds.filter((kind) => positions.get(kind) === 0);
  if (empty.length > 0) throw new FeedError('header', file.id, `no ${empty.join(', ')} objects found`);
}

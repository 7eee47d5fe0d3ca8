import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { PublishedFile, OpenFile } from '../input/published-source.js';
import { withDownload } from '../input/routing-downloads.js';
import { FeedError } from '../input/feed-error.js';
import type { RoutingSource, NormaliseContext } from '../input/routing-source.js';
import { readJsonValues } from './json-values.js';
import { joinObjects } from './peeringdb-join.js';
import {
  addObject,
  OBJECT_KINDS,
  type ObjectKind,
  type ObjectsOf,
  type PeeringObjects,
} from './peeringdb-objects.js';
import { readEach } from '../input/read-each.js';
import type { PeeringDb } from './registries.js';

/** CAIDA's daily copy, with all kinds in one file. */
const DUMP = 'peeringdb_2_dump_*.json';

const FILES: readonly PublishedFile[] = [
  ...OBJECT_KINDS.flatMap((kind) => [
    oneOf(`${kind}-0.json`, [`${kind}.json`, DUMP]),
    oneOf(`${kind}.json`, [`${kind}-0.json`, DUMP]),
  ]),
  oneOf(
    DUMP,
    OBJECT_KINDS.flatMap((kind) => [`${kind}-0.json`, `${kind}.json`]),
  ),
];

function oneOf(name: string, alternatives: readonly string[]): PublishedFile {
  const take = name === DUMP ? 'latest' : 'all';
  return withDownload({
    folder: 'peeringdb',
    name,
    container: 'plain',
    required: false,
    take,
    alternatives,
    maxUnpackedBytes: 1_000_000_000,
  });
}

/** Networks, facilities and internet exchanges, as their operators register them in PeeringDB. */
export const PEERINGDB: RoutingSource = {
  id: 'peeringdb',
  publisher: 'PeeringDB',
  licence: {
    name: 'PeeringDB acceptable use policy',
    url: 'https://www.peeringdb.com/aup',
    attribution: 'PeeringDB, https://www.peeringdb.com',
    terms: 'closed',
  },
  files: FILES,
  cadence: 'daily',
  version: 1,
  tolerance: 0.01,
  normalise,
};

/** Loads the normalised PeeringDB from a folder. Throws ZodError or SyntaxError if the file has another form. */
export function loadPeeringDb(dir: string): PeeringDb {
  return writtenSchema.parse(JSON.parse(readFileSync(join(dir, JSON_FILE), 'utf8')));
}

const JSON_FILE = 'peeringdb.json';

const placeSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  city: z.string().exactOptional(),
  country: z.string().exactOptional(),
});

const writtenSchema: z.ZodType<PeeringDb> = z.strictObject({
  networks: z.array(
    z.strictObject({
      asn: z.int(),
      name: z.string(),
      aka: z.string().exactOptional(),
      infoType: z.string().exactOptional(),
      website: z.string().exactOptional(),
    }),
  ),
  facilities: z.array(placeSchema),
  exchanges: z.array(placeSchema),
  exchangePrefixes: z.array(z.strictObject({ exchange: z.int(), prefix: z.string() })),
  connections: z.array(z.strictObject({ asn: z.int(), exchange: z.int(), speed: z.int() })),
  routeServers: z.array(z.int()),
});

async function normalise(files: readonly OpenFile[], context: NormaliseContext): Promise<void> {
  const { dir, tallyOf, log } = context;
  const kinds = new Map(files.map((file): [OpenFile, ObjectKind[]] => [file, []]));
  for (const kind of OBJECT_KINDS) {
    const file = fileOf(kind, files);
    if (file) kinds.get(file)!.push(kind);
    else log(`peeringdb: no file with ${kind} objects`);
  }
  const objects = emptyObjects((kind) => {
    const file = fileOf(kind, files);
    return file && tallyOf(file);
  });
  await readEach('peeringdb', [...kinds.keys()], async (file) => {
    if (kinds.get(file)!.length === 0) log(`${file.id} skipped: another file has the same objects`);
    else await readObjects(file, { kinds: kinds.get(file)!, objects, context });
  });
  await writeFile(join(dir, JSON_FILE), JSON.stringify(joinObjects(objects)), { flush: true });
}

/** Each kind is read from one file, because an older snapshot would restore deleted objects. */
function fileOf(kind: ObjectKind, files: readonly OpenFile[]): OpenFile | undefined {
  const named = (name: string): OpenFile | undefined => files.find((file) => file.name === name);
  return named(`${kind}-0.json`) ?? named(`${kind}.json`) ?? files.find(isDump);
}

/** Whether the file is a dump of all kinds; the others are `<kind>.json` and `<kind>-0.json`. */
function isDump(file: OpenFile): boolean {
  return file.name.startsWith('peeringdb_2_dump_');
}

function emptyObjects(tallyOf: (kind: ObjectKind) => ObjectsOf<ObjectKind>['tally']): PeeringObjects {
  const empty = OBJECT_KINDS.map((kind) => [kind, { byId: new Map(), tally: tallyOf(kind) }] as const);
  return Object.fromEntries(empty) as unknown as PeeringObjects;
}

interface Objects {
  readonly kinds: readonly ObjectKind[];
  readonly objects: PeeringObjects;
  readonly context: NormaliseContext;
}

/**
 * Reads `{"data":[…]}`, or the dump's `{"net":{"data":[…]},…}`. Throws FeedError `header` for a kind without objects.
 */
async function readObjects(file: OpenFile, { kinds, objects, context }: Objects): Promise<void> {
  const tally = context.tallyOf(file);
  const positions = new Map(kinds.map((kind) => [kind, 0]));
  const paths = isDump(file) ? kinds.map((kind) => `$.${kind}.data.*`) : ['$.data.*'];
  await readJsonValues(file, paths, (member, value) => {
    const kind = isDump(file) ? (member as ObjectKind) : kinds[0]!;
    const position = positions.get(kind)! + 1;
    positions.set(kind, position);
    addObject(kind, objects[kind], { value, position, tally });
  });
  const empty = kinds.filter((kind) => positions.get(kind) === 0);
  if (empty.length > 0) throw new FeedError('header', file.id, `no ${empty.join(', ')} objects found`);
}

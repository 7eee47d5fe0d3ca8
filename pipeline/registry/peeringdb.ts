import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { OpenFile } from '../input/published-source.js';
import { fileOfKind, objectFiles, PEERINGDB_LICENCE, readObjects } from '../input/peeringdb/object-files.js';
import { OBJECT_KINDS, type ObjectKind } from '../input/peeringdb/objects.js';
import { readEach } from '../input/read-each.js';
import type { RoutingSource, NormaliseContext } from '../input/routing-source.js';
import { joinObjects } from './peeringdb-join.js';
import { addObject, type ObjectsOf, type PeeringObjects } from './peeringdb-objects.js';
import { NETWORK_TYPES, readNetworkTypes } from './peeringdb-types.js';
import type { PeeringDb, PeeringNetwork } from './registries.js';

/** Networks, facilities and internet exchanges, as their operators register them in PeeringDB. */
export const PEERINGDB: RoutingSource = {
  id: 'peeringdb',
  publisher: 'PeeringDB',
  licence: PEERINGDB_LICENCE,
  files: [...objectFiles(OBJECT_KINDS), NETWORK_TYPES],
  cadence: 'daily',
  version: 2,
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
  const ofObjects = files.filter((file) => file.name !== NETWORK_TYPES.name);
  const kinds = new Map(ofObjects.map((file): [OpenFile, ObjectKind[]] => [file, []]));
  for (const kind of OBJECT_KINDS) {
    const file = fileOfKind(kind, ofObjects);
    if (file) kinds.get(file)!.push(kind);
    else log(`peeringdb: no file with ${kind} objects`);
  }
  const objects = emptyObjects((kind) => {
    const file = fileOfKind(kind, ofObjects);
    return file && tallyOf(file);
  });
  const typed: PeeringNetwork[] = [];
  await readEach('peeringdb', files, async (file) => {
    const kindsInFile = kinds.get(file);
    if (kindsInFile === undefined) typed.push(...(await readNetworkTypes(file, tallyOf(file))));
    else if (kindsInFile.length === 0) log(`${file.id} skipped: another file has the same objects`);
    else {
      const tally = tallyOf(file);
      await readObjects(file, kindsInFile, (kind, value, position) => {
        addObject(kind, objects[kind], { value, position, tally });
      });
    }
  });
  await writeFile(join(dir, JSON_FILE), JSON.stringify(joinObjects(objects, typed)), { flush: true });
}

function emptyObjects(tallyOf: (kind: ObjectKind) => ObjectsOf<ObjectKind>['tally']): PeeringObjects {
  const empty = OBJECT_KINDS.map((kind) => [kind, { byId: new Map(), tally: tallyOf(kind) }] as const);
  return Object.fromEntries(empty) as unknown as PeeringObjects;
}

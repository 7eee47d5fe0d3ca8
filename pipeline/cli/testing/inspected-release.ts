import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { arrayOf, map, type MapSchema, type Schema } from '../../mmdb/schema.js';
import { writeMmdb } from '../../mmdb/write.js';
import { parsePrefix } from '../../net/prefix.js';
import { exampleFile, exampleManifest } from '../../release/testing/example-release.js';
import { encodeManifest, MANIFEST, releaseDir, type Release } from '../../release/release-store.js';
import { NETWORK_SCHEMA } from '../../routing/network-records.js';
import { EVIDENCE_SCHEMA } from '../../isp/evidence-record.js';
import { ISP_SCHEMA } from '../../isp/isp-record.js';
import { PrefixTable } from '../../table/prefix-table.js';

/** The records of a dataset by prefix; for networks.mmdb by AS number as an IPv4 prefix. */
export type Records = Readonly<Record<string, unknown>>;

/** Datasets that a release may have beside `geo.mmdb`. */
export interface Datasets {
  readonly 'routes.mmdb'?: Records;
  readonly 'asn.mmdb'?: Records;
  readonly 'networks.mmdb'?: Records;
  readonly 'isp.mmdb'?: Records;
  readonly 'evidence.mmdb'?: Records;
}

/** Creates an output folder with a current release, its records written by the real writer. */
export function releaseWith(t: Test, datasets: Datasets): { outputDir: string; release: Release } {
  const outputDir = t.testdir({ releases: {} });
  const example = exampleManifest(1_795_046_400);
  const all = { 'geo.mmdb': { '1.0.0.0/8': { country: { iso_code: 'AU' } } }, ...datasets };
  const manifest = {
    ...example,
    files: Object.keys(all).map((name) => ({ ...exampleFile(name), name })),
  };
  const dir = releaseDir(outputDir, manifest.id);
  mkdirSync(dir);
  writeFileSync(join(dir, MANIFEST), encodeManifest(manifest));
  for (const [name, records] of Object.entries(all)) {
    writeRecords(join(dir, name), SCHEMAS[name]!, records);
  }
  symlinkSync(join('releases', manifest.id), join(outputDir, 'current'));
  return { outputDir, release: { id: manifest.id, dir, manifest } };
}

/** Writes a dataset. A record of several prefixes is one object. */
function writeRecords(path: string, schema: Schema, byPrefix: Records): void {
  const table = new PrefixTable();
  const records = Object.entries(byPrefix).map(([text, record], id) => {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
    return record;
  });
  writeMmdb(path, {
    table: table.flatten(),
    records,
    schema,
    databaseType: 'ipatlas-Test',
    description: { en: 'test' },
    languages: [],
    ipVersion: path.endsWith('networks.mmdb') ? 4 : 6,
    buildEpoch: 1_795_046_400,
  });
}

const ROUTE_FIELDS = {
  prefix: 'string',
  origin: 'uint32',
  origins: arrayOf(map({ asn: 'uint32', peers: 'uint32', rpki: 'string' })),
  rpki: 'string',
  as_name: 'string',
  as_country: 'string',
  upstreams: arrayOf(map({ asn: 'uint32', count: 'uint32' })),
  neighbours: arrayOf(map({ asn: 'uint32', name: 'string' })),
  line: 'string',
} as const satisfies Readonly<Record<string, Schema>>;

/** A route inside at most three others. */
const ROUTE_SCHEMA: MapSchema = map({
  ...ROUTE_FIELDS,
  parent: map({ ...ROUTE_FIELDS, parent: map({ ...ROUTE_FIELDS, parent: map(ROUTE_FIELDS) }) }),
  allocation: map({
    prefix: 'string',
    country: 'string',
    registry: 'string',
    status: 'string',
    registered_as: 'uint32',
  }),
  exchange: map({ id: 'uint32', name: 'string', city: 'string', country: 'string' }),
});

const SCHEMAS: Readonly<Record<string, Schema>> = {
  'geo.mmdb': map({ country: map({ iso_code: 'string' }) }),
  'routes.mmdb': ROUTE_SCHEMA,
  'asn.mmdb': map({
    autonomous_system_number: 'uint32',
    autonomous_system_organization: 'string',
    as_name: 'string',
    as_domain: 'string',
    as_country: 'string',
  }),
  'networks.mmdb': NETWORK_SCHEMA,
  'isp.mmdb': ISP_SCHEMA,
  'evidence.mmdb': EVIDENCE_SCHEMA,
};

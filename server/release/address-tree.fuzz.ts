import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  unlessDeclared,
  type FuzzInput,
  type FuzzTarget,
  type TargetLifetime,
} from '../../pipeline/fuzz/target.js';
import { mmdbSeeds } from '../../pipeline/mmdb/testing/bad-mmdbs.js';
import { MMDB_MUTATORS } from '../../pipeline/mmdb/testing/damage-mmdb.js';
import type { ManifestFile } from '../../pipeline/release/contract.js';
import { SMALL } from '../testing/small-records.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { AddressTree } from './address-tree.js';
import { MmdbTable } from './mmdb-table.js';
import { openDatabase } from './open-database.js';
import { ReleaseRefused } from './snapshot.js';

const ADDRESSES = [
  ...Object.values(SMALL),
  ...[
    '0.0.0.0',
    '127.255.255.255',
    '255.255.255.255',
    '::',
    '::1',
    '8000::',
    'ffff::ffff',
    '2002:808:808::1',
  ],
];

/**
 * Opens damaged files as the server does, with a manifest that agrees with their metadata, and looks up addresses. The
 * walk never throws. A record may be undecodable, which refuses the release.
 */
export async function openTarget(t: TargetLifetime): Promise<FuzzTarget> {
  return {
    seeds: [...(await releaseFiles(t)), ...mmdbSeeds()],
    mutators: MMDB_MUTATORS,
    run: ({ bytes }) => {
      const metadata = metadataOf(bytes);
      if (!metadata) return;
      const tree = new AddressTree(bytes, metadata);
      const found = ADDRESSES.map((ip) => tree.find(ip));
      tree.findKey(0xffff_ffff);
      if (found.some((pointer) => pointer !== undefined && Number.isNaN(pointer))) throw new Error('NaN');
      lookUp(bytes, metadata);
    },
  };
}

type Metadata = MmdbTable<object>['metadata'];

/** Returns the metadata as the server reads it. Without them it refuses the file. */
function metadataOf(bytes: Buffer): Metadata | undefined {
  try {
    return new MmdbTable(bytes).metadata;
  } catch {
    return undefined;
  }
}

function lookUp(bytes: Buffer, metadata: Metadata): void {
  try {
    const { databaseType, recordSize, nodeCount, languages, ipVersion } = metadata;
    const buildEpoch = metadata.buildEpoch.getTime() / 1000;
    const file = {
      name: 'geo.mmdb',
      databaseType,
      recordSize,
      nodeCount,
      languages,
      buildEpoch,
    } as ManifestFile;
    const table = openDatabase<object>(bytes, file, { type: /^/, ipVersion });
    for (const ip of ADDRESSES) decode(() => table.get(ip));
  } catch (error) {
    unlessDeclared(error, [ReleaseRefused]);
  }
}

function decode(get: () => unknown): void {
  try {
    get();
  } catch (error) {
    unlessDeclared(error, [Error]);
  }
}

async function releaseFiles(t: TargetLifetime): Promise<FuzzInput[]> {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-fuzz-release-'));
  t.teardown(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  await publishSmallRelease(dir);
  const current = join(dir, 'current');
  return readdirSync(current, { encoding: 'utf8' })
    .filter((name) => name.endsWith('.mmdb'))
    .map((name) => ({ name, bytes: readFileSync(join(current, name)) }));
}

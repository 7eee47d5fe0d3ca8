import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Coverage, Manifest, ManifestFile, ManifestInput } from '../contract.js';
import { sha256Text } from '../digest.js';
import type { Scorecard } from '../scorecard.js';
import { publishRelease } from '../publish-release.js';
import { releaseId } from '../release-store.js';

/** Small releases for tests. `geo.mmdb` is a line of text instead of a database. */
export function exampleFile(text: string, coverage: Partial<Coverage> = {}): ManifestFile {
  return {
    name: 'geo.mmdb',
    kind: 'served',
    sources: ['own'],
    terms: 'free',
    attributions: [],
    databaseType: 'ipatlas-City',
    sizeBytes: Buffer.byteLength(text),
    sha256: sha256Text(text),
    nodeCount: 3,
    recordSize: 24,
    ipVersion: 6,
    languages: ['en', 'zh-CN'],
    buildEpoch: 0,
    records: 2,
    coverage: { networks: 3, ipv4Addresses: 1000, ipv6Slash64s: 2000, ...coverage },
    coverageByFeed: {},
    coverageByCountry: {},
  };
}

/** A feed that read one file with `accepted` rows. */
export function exampleInput(feed: string, accepted: number): ManifestInput {
  return {
    feed,
    publisher: `${feed} publisher`,
    licence: {
      name: 'CC0',
      url: 'https://creativecommons.org/publicdomain/zero/1.0/',
      terms: 'free',
    },
    adapterVersion: 1,
    files: [
      {
        id: `${feed}/all.csv`,
        sha256: sha256Text(`${feed} ${accepted}`),
        sizeBytes: 10,
        modified: '2026-11-01T00:00:00Z',
        lastGood: false,
        rows: accepted + 1,
        accepted,
        rejected: 1,
        rejections: { country: { count: 1, examples: [{ position: 2, excerpt: 'x' }] } },
        notes: {},
      },
    ],
    refusals: [],
  };
}

/** A manifest of the release built at `buildEpoch` whose geo.mmdb holds `text`. */
export function exampleManifest(buildEpoch: number, text = `geo of ${buildEpoch}`): Manifest {
  const buildKey = sha256Text(text);
  return {
    schema: 1,
    id: releaseId(buildEpoch, buildKey),
    buildEpoch,
    generator: 'ipatlas test',
    buildKey,
    inputs: [exampleInput('own', 5)],
    files: [exampleFile(text)],
    gates: [{ name: 'tree verifies', passed: true, found: 'all', bound: 'all' }],
  };
}

/** A scorecard of 1,000 networks of 10 operators. */
export function exampleScorecard(changes: Partial<Scorecard> = {}): Scorecard {
  return {
    networks: 1000,
    operators: 10,
    all: {
      country: 0.964,
      region: 0.8,
      cityId: 0.7,
      cityName: 0.65,
      within50Km: 0.85,
      withinRadius: 0.68,
      answered: 1,
      medianKm: 2.34,
    },
    mean: {
      country: 0.9,
      region: 0.75,
      cityId: 0.6,
      cityName: 0.55,
      within50Km: 0.8,
      withinRadius: 0.7,
      answered: 0.99,
    },
    reliability: [
      {
        level: 'country',
        rows: [
          { from: 80, networks: 100, says: 85, right: 81.5 },
          { from: 90, networks: 900, says: 95, right: 96.25 },
        ],
        error: 2.375,
        errorOfNetworks: 1.5,
      },
      { level: 'region', rows: [] },
    ],
    ...changes,
  };
}

/** The manifest's `datasets` of a release with this scorecard. */
export function datasetsWith(scorecard: Scorecard): NonNullable<Manifest['datasets']> {
  return { geo: { key: sha256Text('geo'), files: ['geo.mmdb'], counters: {}, scorecard } };
}

/** Makes the work folder of `exampleManifest(buildEpoch, text)`; its path. */
export function makeWorkDir(outputDir: string, buildEpoch: number, text = `geo of ${buildEpoch}`): string {
  const workDir = join(outputDir, 'releases', `.tmp-work-${buildEpoch}`);
  mkdirSync(workDir, { recursive: true });
  writeFileSync(join(workDir, 'geo.mmdb'), text);
  return workDir;
}

/** Publishes an example release; its id. */
export async function publishExample(outputDir: string, buildEpoch: number, keep = 7): Promise<string> {
  const workDir = makeWorkDir(outputDir, buildEpoch);
  const { id } = await publishRelease({ outputDir, manifest: exampleManifest(buildEpoch), workDir, keep });
  return id;
}

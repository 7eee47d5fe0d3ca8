import { basename, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Manifest, ReleaseFile } from '../../pipeline/release/contract.js';
import { readManifest, ReleaseError } from '../../pipeline/release/release-store.js';
import { openDatabase, type DatabaseKind } from './open-database.js';
import type { MmdbTable } from './mmdb-table.js';
import { readFiles, type ReadFile } from './read-files.js';
import { IndexedPeering, readPeering } from './peering.js';
import type {
  AnnouncerRecord,
  NetworkRecord,
  PlaceRecord,
  RoutedRecord,
  IspRecord,
  VerdictRecord,
} from './records.js';
import { selfTest } from './self-test.js';
import {
  DATASET_NAMES,
  ReleaseRefused,
  type AddressTable,
  type DatasetFile,
  type DatasetName,
  type PeeringSearch,
  type Snapshot,
} from './snapshot.js';

/**
 * Loads the release in a folder: reads its files, checks size and sha256, opens them and runs the self-test. `dir` is
 * the release's own folder, not the link `current`. Throws ReleaseRefused when the release must not be served, and the
 * system error when it cannot be read.
 */
export async function loadRelease(dir: string): Promise<Snapshot> {
  const manifest = await manifestOf(dir);
  checkComplete(manifest);
  const files = await readFiles({ dir, files: wantedFiles(manifest) });
  // Requests are answered between the parts of the work.
  await nextTurn();
  const peering = await peeringOf(files);
  await nextTurn();
  const snapshot = snapshotOf(resolve(dir), manifest, { files, peering });
  testItself(snapshot);
  return snapshot;
}

/** The tables of a release. */
const PLACES = { name: 'geo.mmdb', type: /^ipatlas-City\b/, ipVersion: 6 };
const ISP = { name: 'isp.mmdb', type: /^ipatlas-ISP\b/, ipVersion: 6 };
const ANNOUNCERS = { name: 'asn.mmdb', type: /^ipatlas-ASN\b/, ipVersion: 6 };
const ROUTES = { name: 'routes.mmdb', type: /^ipatlas-Routes\b/, ipVersion: 6 };
/** Keyed by AS number, written as an IPv4 address. */
const NETWORKS = { name: 'networks.mmdb', type: /^ipatlas-Networks\b/, ipVersion: 4 };
const VERDICTS = { type: /^ipatlas-Verdicts-/, ipVersion: 6 };

/** Tables that are built from a routing table, and the table that they require. It may also be there without them. */
const ROUTING = [ROUTES.name, NETWORKS.name];
const PEERING = 'peering.json';

async function manifestOf(dir: string): Promise<Manifest> {
  try {
    return await readManifest(dir);
  } catch (error) {
    if (error instanceof ReleaseError)
      throw new ReleaseRefused(basename(error.path), error.found, { cause: error });
    throw error;
  }
}

/** Throws for duplicate file names, and for a missing table that other tables or the manifest require. */
function checkComplete({ files, indexes, datasets }: Manifest): void {
  const names = new Set<string>();
  for (const { name } of [...files, ...(indexes ?? [])]) {
    if (names.has(name)) throw new ReleaseRefused(name, 'is listed twice in the manifest');
    names.add(name);
  }
  const promised = Object.values(datasets ?? {}).flatMap((dataset) => dataset.files);
  const routing = ROUTING.some((name) => names.has(name)) ? [...ROUTING, ANNOUNCERS.name] : [];
  for (const name of [PLACES.name, ...promised, ...routing]) {
    if (!names.has(name)) throw new ReleaseRefused(name, 'is not in the manifest');
  }
}

/** Returns all files except evidence, which is kept for audits only. Bytes of downloads are not loaded. */
function wantedFiles({ files, indexes }: Manifest): (ReleaseFile & { readonly keep: boolean })[] {
  const used: readonly ReleaseFile[] = files.filter(({ kind }) => kind !== 'evidence');
  return [...used, ...(indexes ?? [])].map((file) => ({ ...file, keep: file.kind !== 'download' }));
}

async function peeringOf(files: ReadonlyMap<string, ReadFile>): Promise<PeeringSearch> {
  const bytes = files.get(PEERING)?.bytes;
  if (!bytes) return await IndexedPeering.of({ nets: [], facs: [] });
  try {
    return await readPeering(bytes);
  } catch (cause) {
    throw new ReleaseRefused(PEERING, 'is not a valid peering index', { cause });
  }
}

/** Runs the self-test. Any error, such as an undecodable record, refuses the release. */
function testItself(snapshot: Snapshot): void {
  try {
    selfTest(snapshot);
  } catch (cause) {
    if (cause instanceof ReleaseRefused) throw cause;
    throw new ReleaseRefused(snapshot.id, `a lookup failed: ${String(cause)}`, { cause });
  }
}

/** The contents of a snapshot besides the manifest. */
interface Parts {
  readonly files: ReadonlyMap<string, ReadFile>;
  readonly peering: PeeringSearch;
}

function snapshotOf(dir: string, manifest: Manifest, { files, peering }: Parts): Snapshot {
  const open = openerOf(manifest, files);
  const networks = open<NetworkRecord>(NETWORKS);
  return Object.freeze({
    id: manifest.id,
    buildEpoch: manifest.buildEpoch,
    places: open<PlaceRecord>(PLACES) ?? EMPTY,
    isp: open<IspRecord>(ISP) ?? EMPTY,
    announcers: open<AnnouncerRecord>(ANNOUNCERS) ?? EMPTY,
    routes: open<RoutedRecord>(ROUTES) ?? EMPTY,
    verdicts: verdictsOf(manifest, open),
    networkOf: (asn: number) => networks?.getKey(asn),
    peering,
    datasets: datasetFiles(dir, manifest, files),
  } satisfies Snapshot);
}

/** Opens a file by name. Undefined when the release does not have it. */
type Open = <Record extends object>(
  kind: DatabaseKind & { readonly name: string },
) => MmdbTable<Record> | undefined;

function openerOf({ files }: Manifest, read: ReadonlyMap<string, ReadFile>): Open {
  const byName = new Map(files.map((file) => [file.name, file]));
  return <Record extends object>({ name, ...kind }: DatabaseKind & { readonly name: string }) => {
    const file = byName.get(name);
    const bytes = read.get(name)?.bytes;
    return file && bytes && openDatabase<Record>(bytes, file, kind);
  };
}

function verdictsOf({ files }: Manifest, open: Open): Snapshot['verdicts'] {
  const verdicts = new Map<string, AddressTable<VerdictRecord>>();
  for (const { kind, name } of files) {
    const feed = kind === 'verdicts' ? /^sources\/(.+)\.mmdb$/.exec(name)?.[1] : undefined;
    const table = feed && open<VerdictRecord>({ name, ...VERDICTS });
    if (feed && table) verdicts.set(feed, table);
  }
  return verdicts;
}

/** Returns the files of a release that customers download. */
function datasetFiles(
  dir: string,
  { files }: Manifest,
  read: ReadonlyMap<string, ReadFile>,
): ReadonlyMap<DatasetName, DatasetFile> {
  const found = new Map<DatasetName, DatasetFile>();
  for (const name of DATASET_NAMES) {
    const stem = STEMS[name];
    const file = files.find((entry) => entry.kind === 'download' && entry.name === `download/${stem}.mmdb`);
    const modified = file && read.get(file.name)?.modified;
    if (!file || modified === undefined) continue;
    const { sizeBytes, sha256, buildEpoch, nodeCount, ipVersion, languages } = file;
    const path = join(dir, file.name);
    const filename = `ipatlas-${stem}-${dateOf(buildEpoch)}.mmdb`;
    const dataset = {
      path,
      filename,
      sizeBytes,
      modified,
      sha256,
      buildEpoch,
      nodeCount,
      ipVersion,
      languages,
    };
    found.set(name, Object.freeze(dataset));
  }
  return found;
}

const STEMS: Readonly<Record<DatasetName, string>> = { mmdb: 'geo', asn: 'asn', isp: 'isp' };

/** Formats seconds since 1970 as `YYYYMMDD` in UTC. */
function dateOf(buildEpoch: number): string {
  return new Date(buildEpoch * 1000).toISOString().slice(0, 10).replaceAll('-', '');
}

/** Replaces a table that the release was built without. */
const EMPTY: AddressTable<never> = Object.freeze({ get: () => undefined });

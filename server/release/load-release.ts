import { basename, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Manifest, ReleaseFile } from '../../pipeline/release/contract.js';
import { readManifest, ReleaseError } from '../../pipeline/release/release-store.js';
import { datasetFiles } from './dataset-files.js';
import { IndexedPeering } from './indexed-peering.js';
import { openDatabase, type DatabaseKind } from './open-database.js';
import type { MmdbTable } from './mmdb-table.js';
import { readFiles, type ReadFile } from './read-files.js';
import { readPeering } from './read-peering.js';
import type {
  AnnouncerRecord,
  NetworkRecord,
  PlaceRecord,
  RoutedRecord,
  ServiceRecord,
  VerdictRecord,
} from './records.js';
import { ReleaseRefused } from './release-refused.js';
import { selfTest } from './self-test.js';
import type { AddressTable, PeeringSearch, Snapshot } from './snapshot.js';

/**
 * Loads the release in a folder: reads its files with size and sha256 checked, opens them and asks them what every
 * release knows. `dir` is the release's own folder, not the link `current`. Throws ReleaseRefused when it is not to be
 * served, and the system's error when it cannot be read just now.
 */
export async function loadRelease(dir: string): Promise<Snapshot> {
  const manifest = await manifestOf(dir);
  checkComplete(manifest);
  const files = await readFiles({ dir, files: wantedFiles(manifest) });
  // The other turns of the event loop come between the parts of the work.
  await nextTurn();
  const peering = await peeringOf(files);
  await nextTurn();
  const snapshot = snapshotOf(resolve(dir), manifest, { files, peering });
  testItself(snapshot);
  return snapshot;
}

/** The tables of a release. */
const PLACES = { name: 'geo.mmdb', type: /^ipatlas-City\b/, ipVersion: 6 };
const SERVICES = { name: 'isp.mmdb', type: /^ipatlas-ISP\b/, ipVersion: 6 };
const ANNOUNCERS = { name: 'asn.mmdb', type: /^ipatlas-ASN\b/, ipVersion: 6 };
const ROUTES = { name: 'routes.mmdb', type: /^ipatlas-Routes\b/, ipVersion: 6 };
/** AS numbers stand in it as IPv4 addresses. */
const NETWORKS = { name: 'networks.mmdb', type: /^ipatlas-Networks\b/, ipVersion: 4 };
const VERDICTS = { type: /^ipatlas-Verdicts-/, ipVersion: 6 };

/** The tables that are made together; a release has all of them or none. */
const ROUTING = [ANNOUNCERS.name, ROUTES.name, NETWORKS.name];
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

/** Throws for two files of one name, and when a table is missing that others need or that the manifest promises. */
function checkComplete({ files, indexes, datasets }: Manifest): void {
  const names = new Set<string>();
  for (const { name } of [...files, ...(indexes ?? [])]) {
    if (names.has(name)) throw new ReleaseRefused(name, 'stands twice in the manifest');
    names.add(name);
  }
  const promised = Object.values(datasets ?? {}).flatMap((dataset) => dataset.files);
  const routing = ROUTING.some((name) => names.has(name)) ? ROUTING : [];
  for (const name of [PLACES.name, ...promised, ...routing]) {
    if (!names.has(name)) throw new ReleaseRefused(name, 'is not in the manifest');
  }
}

/** What is served or sent; what is kept for our own audit may be anything. */
function wantedFiles({ files, indexes }: Manifest): (ReleaseFile & { readonly keep: boolean })[] {
  const used: readonly ReleaseFile[] = files.filter(({ kind }) => kind !== 'evidence');
  return [...used, ...(indexes ?? [])].map((file) => ({ ...file, keep: file.kind !== 'download' }));
}

async function peeringOf(files: ReadonlyMap<string, ReadFile>): Promise<PeeringSearch> {
  const bytes = files.get(PEERING)?.bytes;
  if (!bytes) return await IndexedPeering.of({ nets: [], facs: [] });
  try {
    return await IndexedPeering.of(await readPeering(bytes));
  } catch (cause) {
    throw new ReleaseRefused(PEERING, 'is no index of networks and facilities', { cause });
  }
}

/** Whatever the self-test stumbles on, such as a record that cannot be decoded, is the release's fault. */
function testItself(snapshot: Snapshot): void {
  try {
    selfTest(snapshot);
  } catch (cause) {
    if (cause instanceof ReleaseRefused) throw cause;
    throw new ReleaseRefused(snapshot.id, `a look-up fails: ${String(cause)}`, { cause });
  }
}

/** What a snapshot is made of besides the manifest. */
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
    services: open<ServiceRecord>(SERVICES) ?? EMPTY,
    announcers: open<AnnouncerRecord>(ANNOUNCERS) ?? EMPTY,
    routes: open<RoutedRecord>(ROUTES) ?? EMPTY,
    verdicts: verdictsOf(manifest, open),
    networkOf: (asn: number) => networks?.getKey(asn),
    peering,
    datasets: datasetFiles(dir, manifest, files),
  } satisfies Snapshot);
}

/** Opens the file of a name; absent when the release has none. */
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

/** Stands for what a release was built without. */
const EMPTY: AddressTable<never> = Object.freeze({ get: () => undefined });

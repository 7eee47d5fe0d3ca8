import { basename, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { filesOfRelease, type Manifest, type ReleaseFile } from '../../pipeline/release/contract.js';
import { readManifest, ReleaseError } from '../../pipeline/release/release-store.js';
import { PLACE_FIELDS } from '../../pipeline/record/records.js';
import { ZippedTrees } from './answer-table.js';
import { datasetsOf } from './datasets.js';
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
import { statusOf } from './release-status.js';
import { selfTest } from './self-test.js';
import { ReleaseRefused, type AddressTable, type PeeringSearch, type Snapshot } from './snapshot.js';

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
const PLACES = { name: 'geo.mmdb', type: /^ipatlas-City\b/, ipVersion: 6, fields: PLACE_FIELDS };
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
function checkComplete(manifest: Manifest): void {
  const names = new Set<string>();
  for (const { name } of filesOfRelease(manifest)) {
    if (names.has(name)) throw new ReleaseRefused(name, 'is listed twice in the manifest');
    names.add(name);
  }
  const promised = Object.values(manifest.datasets ?? {}).flatMap((dataset) => dataset.files);
  const routing = ROUTING.some((name) => names.has(name)) ? [...ROUTING, ANNOUNCERS.name] : [];
  for (const name of [PLACES.name, ...promised, ...routing]) {
    if (!names.has(name)) throw new ReleaseRefused(name, 'is not in the manifest');
  }
}

/** Returns all files except evidence, which is kept for audits only. Bytes of downloads and deltas are not loaded. */
function wantedFiles(manifest: Manifest): (ReleaseFile & { readonly keep: boolean })[] {
  const { files, indexes = [], editions = [] } = manifest;
  const unused = files.filter(({ kind }) => kind === 'evidence').map(({ name }) => name);
  const kept = [...files.filter(({ kind }) => kind !== 'download'), ...indexes, ...editions].map(
    ({ name }) => name,
  );
  return filesOfRelease(manifest)
    .filter(({ name }) => !unused.includes(name))
    .map((file) => ({ ...file, keep: kept.includes(file.name) }));
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
  const places = open<PlaceRecord>(PLACES);
  const isp = open<IspRecord>(ISP);
  const announcers = open<AnnouncerRecord>(ANNOUNCERS);
  const routes = open<RoutedRecord>(ROUTES);
  return Object.freeze({
    id: manifest.id,
    buildEpoch: manifest.buildEpoch,
    places: places ?? EMPTY,
    isp: isp ?? EMPTY,
    announcers: announcers ?? EMPTY,
    routes: routes ?? EMPTY,
    answers: new ZippedTrees({
      place: places?.tree,
      isp: isp?.tree,
      announcer: announcers?.tree,
      route: routes?.tree,
    }),
    verdicts: verdictsOf(manifest, open),
    networkOf: (asn: number) => networks?.getKey(asn),
    peering,
    datasets: datasetsOf(dir, manifest, files),
    status: statusOf(manifest),
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

/** Replaces a table that the release was built without. */
const EMPTY: AddressTable<never> = Object.freeze({ get: () => undefined });

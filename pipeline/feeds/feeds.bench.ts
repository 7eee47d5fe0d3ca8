import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse';
import { peakMb, printJson, runPart, type BenchReport, type BenchRow } from '../bench/bench-report.js';
import { geolite2Contents } from '../../fixtures/generate/geolite2.js';
import { zipFile } from '../../fixtures/generate/zip-file.js';
import { formatPrefix } from '../net/prefix.js';
import { parseSpecialPurposeRegistry } from '../net/special-purpose.js';
import { addressOf, exampleNetworks } from '../table/networks.fixture.js';
import { reservedSpace } from '../table/reserved-space.js';
import { FEEDS } from './catalogue.js';
import { LayeredClaims } from '../input/claims/layered-claims.js';
import { readGz, readPlain } from '../input/containers/containers.js';
import type { Feed } from './feed.js';
import type { PublishedFile, OpenFile } from '../input/published-source.js';
import { matchesName } from '../input/name-pattern.js';
import { withZip } from '../input/containers/zip-archive.js';

const FILE = fileURLToPath(import.meta.url);
const ROOT = resolve(import.meta.dirname, '../../..');
const BUNDLED = join(ROOT, 'fixtures/feeds');
/** A folder with the real files of publishers. */
const REAL = resolve(process.env['FEEDS'] ?? join(ROOT, '../shared/data/feeds'));

interface Read {
  readonly rows: number;
  readonly seconds: number;
  readonly peakMb: number;
}

interface ReadByUs extends Read {
  readonly rejected: number;
  readonly finishSeconds: number;
  readonly networks: number;
}

interface ReadByPeer extends Read {
  /** Records that csv-parse gives up on. */
  readonly unreadableRows: number;
  readonly megabytes: number;
}

async function bench(isQuick: boolean): Promise<BenchReport> {
  const isReal = !isQuick && existsSync(REAL);
  const generated = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
  try {
    const rows: BenchRow[] = [];
    if (!isReal) await generate(generated, isQuick ? 20_000 : 1_000_000);
    for (const feed of FEEDS) {
      const dir = isReal ? REAL : existsSync(join(generated, feed.id)) ? generated : BUNDLED;
      if (filesOf(feed, dir).length > 0) rows.push(...measure(feed, dir));
    }
    return { bench: 'feeds', notes: notesOf(isReal), rows, bars: [] };
  } finally {
    rmSync(generated, { recursive: true });
  }
}

function notesOf(isReal: boolean): string[] {
  return [
    isReal
      ? "input: publishers' real files"
      : "input: generated rows for geolite2 and own (no publishers' files found), fixtures for other feeds",
    'seconds: unpack, parse, check, insert; finishSeconds: flatten and combine the layers',
    'peer: csv-parse as a stream on the same unpacked bytes, rows counted and dropped; timesCsvParse: our seconds / its seconds',
  ];
}

function measure(feed: Feed, dir: string): BenchRow[] {
  const ours = runPart(FILE, ['ours', feed.id, dir]) as ReadByUs;
  const peer = runPart(FILE, ['peer', feed.id, dir]) as ReadByPeer;
  return [
    {
      subject: `${feed.id}: ipatlas`,
      figures: {
        rowsPerSecond: ours.rows / ours.seconds,
        ...ours,
        timesCsvParse: ours.seconds / peer.seconds,
      },
    },
    { subject: `${feed.id}: csv-parse`, figures: { rowsPerSecond: peer.rows / peer.seconds, ...peer } },
  ];
}

async function readOurs(feed: Feed, dir: string): Promise<ReadByUs> {
  const files = filesOf(feed, dir);
  const registries = ['ipv4', 'ipv6'].flatMap((family) =>
    parseSpecialPurposeRegistry(
      readFileSync(join(BUNDLED, `iana/iana-${family}-special-registry.xml`), 'utf8'),
    ),
  );
  const claims = new LayeredClaims(feed.layers.length, reservedSpace(registries));
  const start = performance.now();
  await feed.read(files, (file) => claims.sinkFor(file));
  const read = performance.now();
  const { table } = claims.finish((said) => feed.combine(said));
  const end = performance.now();
  const tallies = [...claims.tallies.values()];
  return {
    rows: tallies.reduce((sum, tally) => sum + tally.rows, 0),
    rejected: tallies.reduce((sum, tally) => sum + tally.rejected, 0),
    networks: table.networkCount(),
    seconds: (read - start) / 1000,
    finishSeconds: (end - read) / 1000,
    peakMb: peakMb(),
  };
}

/** The zip entries that our reader reads, by feed; by default all. */
const ENTRIES: Readonly<Record<string, RegExp>> = { geolite2: /(Blocks-IPv[46]|Locations-(en|zh-CN))\.csv$/ };

async function readPeer(feed: Feed, dir: string): Promise<ReadByPeer> {
  const start = performance.now();
  let rows = 0;
  let unreadableRows = 0;
  let bytes = 0;
  const count = async (name: string, chunks: AsyncIterable<Buffer>): Promise<void> => {
    const delimiter = name.startsWith('delegated-') ? '|' : name.includes('.tsv') ? '\t' : ',';
    const options = { delimiter, relax_column_count: true, relax_quotes: true, bom: true };
    // Some fixtures are damaged on purpose.
    const parser = parse({ ...options, skip_records_with_error: true });
    parser.on('data', () => rows++);
    parser.on('skip', () => unreadableRows++);
    const finished = new Promise<void>((resolve, reject) => parser.on('end', resolve).on('error', reject));
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (!parser.write(chunk)) await new Promise((resolve) => parser.once('drain', resolve));
    }
    parser.end();
    await finished;
  };
  for (const file of filesOf(feed, dir)) {
    if (file.container === 'zip') {
      await withZip(file, async (zip) => {
        const names = zip.names.filter((name) => ENTRIES[feed.id]?.test(name) ?? true);
        for (const name of names) await count(name, zip.read(name));
      });
    } else {
      await count(file.name, file.container === 'gz' ? readGz(file) : readPlain(file));
    }
  }
  const seconds = (performance.now() - start) / 1000;
  return { rows, unreadableRows, megabytes: bytes / 1e6, seconds, peakMb: peakMb() };
}

function filesOf(feed: Feed, dir: string): OpenFile[] {
  return feed.files.flatMap((pattern) => {
    const folder = join(dir, pattern.folder);
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => matchesName(pattern.name, name) && statSync(join(folder, name)).isFile())
      .sort();
    return (pattern.take === 'latest' ? names.slice(-1) : names).map((name) =>
      openFile(folder, name, pattern),
    );
  });
}

function openFile(path: string, name: string, { folder, container }: PublishedFile): OpenFile {
  return {
    id: `${folder}/${name}`,
    folder,
    name,
    container,
    path: join(path, name),
    sizeBytes: statSync(join(path, name)).size,
    maxUnpackedBytes: Infinity,
    onRead: () => undefined,
  };
}

/** Writes a GeoLite2 zip with `count` rows and the locations of the fixture, and a geofeed with the same networks. */
async function generate(dir: string, count: number): Promise<void> {
  const contents = await geolite2Contents(ROOT);
  const locations = contents.find(({ name }) => name.endsWith('Locations-en.csv'))!;
  const ids = locations.bytes
    .toString()
    .split('\n')
    .slice(1)
    .map((line) => /^\d+(?=,en,\w\w,"?[\w ]+"?,[A-Z]{2},)/.exec(line)?.[0])
    .filter((id) => id !== undefined);
  const networks = exampleNetworks(count, 300_000);
  const blocks: Record<4 | 6, string[]> = { 4: [BLOCKS_HEADER], 6: [BLOCKS_HEADER] };
  const geofeed: string[] = [];
  for (let i = 0; i < count; i++) {
    const record = networks.recordIds[i]!;
    const prefix = formatPrefix(addressOf(networks, i), networks.lengths[i]!);
    const spot = `${((record * 7919) % 1_800_000) / 1e4 - 90},${((record * 104_729) % 3_600_000) / 1e4 - 180}`;
    const id = ids[record % ids.length]!;
    blocks[prefix.includes(':') ? 6 : 4].push(`${prefix},${id},${id},,0,0,,${spot},${1 + (record % 1000)},0`);
    geofeed.push(`${prefix},${['US', 'DE', 'JP', 'BR', 'CN'][record % 5]!},,City ${record},`);
  }
  const rows = contents.map(({ name, bytes }) => {
    const family = /Blocks-IPv([46])\.csv$/.exec(name)?.[1];
    return { name, bytes: family ? Buffer.from(`${blocks[family === '4' ? 4 : 6].join('\n')}\n`) : bytes };
  });
  mkdirSync(join(dir, 'geolite2'));
  writeFileSync(join(dir, 'geolite2/GeoLite2-City-CSV_20261117.zip'), zipFile(rows));
  mkdirSync(join(dir, 'own/geofeeds'), { recursive: true });
  writeFileSync(join(dir, 'own/geofeeds/generated.csv'), `${geofeed.join('\n')}\n`);
}

const BLOCKS_HEADER =
  'network,geoname_id,registered_country_geoname_id,represented_country_geoname_id,is_anonymous_proxy,' +
  'is_satellite_provider,postal_code,latitude,longitude,accuracy_radius,is_anycast';

const [part, id, dir] = process.argv.slice(2);
const feed = FEEDS.find((candidate) => candidate.id === id);
if (feed && dir !== undefined) printJson(await (part === 'ours' ? readOurs : readPeer)(feed, dir));
else printJson(await bench(part === '--quick'));

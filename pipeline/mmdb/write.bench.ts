import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Reader, type Response } from 'maxmind';
import {
  peakMb,
  printJson,
  runPart,
  timed,
  type BenchBar,
  type BenchReport,
  type BenchRow,
} from '../bench/bench-report.js';
import { familyOf, formatAddress, newAddress } from '../net/address.js';
import { formatPrefix } from '../net/prefix.js';
import { addressInside, addressOf, exampleNetworks, pseudoRandom } from '../table/networks.fixture.js';
import { PrefixTable } from '../table/prefix-table.js';
import { exampleRecords, type ExampleRecord } from './city-records.fixture.js';
import { CITY_SCHEMA } from './testing/record-schemas.js';
import { verifyMmdb } from './verify.js';
import { writeMmdb } from './write.js';

/** The numbers of networks and distinct records of a run, and whether the Perl writer writes them too. */
interface Size {
  readonly networks: number;
  readonly records: number;
  readonly perl: boolean;
}

const SIZES: readonly Size[] = [
  { networks: 1_000_000, records: 50_000, perl: true },
  { networks: 5_000_000, records: 50_000, perl: true },
  { networks: 5_000_000, records: 300_000, perl: false },
];
const QUICK_SIZES: readonly Size[] = [{ networks: 100_000, records: 50_000, perl: true }];

/** The figures of a writer. `seconds` is the time of the writer alone, `inputSeconds` that of loading its input. */
interface Written {
  readonly seconds: number;
  readonly inputSeconds: number;
  readonly peakMb: number;
  readonly bytes: number;
}

interface WrittenByUs extends Written {
  readonly insertSeconds: number;
  readonly flattenSeconds: number;
  readonly writeSeconds: number;
  readonly nodeCount: number;
  readonly recordSize: number;
}

interface Compared {
  readonly problems: number;
  readonly addresses: number;
  readonly differences: number;
}

const FILE = fileURLToPath(import.meta.url);

function bench(sizes: readonly Size[]): BenchReport {
  const rows: BenchRow[] = [];
  const bars: BenchBar[] = [];
  const peer = perlVersion();
  const folder = mkdtempSync(join(tmpdir(), 'ipatlas-bench-'));
  try {
    for (const size of sizes) {
      const label = `${size.networks / 1e6} M networks, ${size.records / 1e3} k records`;
      const ours = runPart(FILE, ['ours', size.networks, size.records, folder]) as WrittenByUs;
      const { recordSize, ...figures } = ours;
      rows.push({ subject: `${label}: ipatlas`, figures });
      let perl: Written | undefined;
      if (size.perl && peer !== undefined) {
        runPart(FILE, ['input', size.networks, size.records, folder]);
        perl = runPerl(folder, recordSize);
        rows.push({ subject: `${label}: Perl`, figures: { ...perl } });
      }
      const compared = runPart(FILE, ['compare', size.networks, folder, perl ? 'perl' : '']) as Compared;
      bars.push(
        ...(hasMemoryBar(size) ? [memoryBar(label, ours)] : []),
        ...barsOf(label, { ours, perl, compared }),
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { bench: 'mmdb/write', notes: notesOf(peer), rows, bars };
}

function notesOf(peer: string | undefined): string[] {
  return [
    peer === undefined
      ? 'Perl MaxMind::DB::Writer is not installed (Debian: libmaxmind-db-writer-perl); only our writer is measured'
      : `peer: Perl MaxMind::DB::Writer ${peer}, the same networks, records and record size`,
    'seconds: ours insert + flatten + encode + write + fsync; Perl insert_network + write_tree, reading lines subtracted',
    'peakMb is for the whole process, including its input',
  ];
}

interface Outcome {
  readonly ours: WrittenByUs;
  readonly perl: Written | undefined;
  readonly compared: Compared;
}

/** The memory target applies to networks that share records. */
function hasMemoryBar({ records }: Size): boolean {
  return records <= 50_000;
}

function memoryBar(label: string, { peakMb }: WrittenByUs): BenchBar {
  return {
    what: `${label}, peak memory`,
    bar: 'under 1,000 MB',
    measured: `${Math.round(peakMb)} MB`,
    isMet: peakMb < 1000,
  };
}

function barsOf(label: string, { ours, perl, compared }: Outcome): BenchBar[] {
  const bars: BenchBar[] = [
    {
      what: `${label}, our file verified`,
      bar: 'no problem',
      measured: `${compared.problems} problems`,
      isMet: compared.problems === 0,
    },
  ];
  if (!perl) return bars;
  const ratio = perl.seconds / ours.seconds;
  const excess = (ours.bytes / perl.bytes - 1) * 100;
  bars.unshift(
    {
      what: `${label}, time`,
      bar: `at least ${PERL_BAR} x faster than Perl`,
      measured: `${ratio.toFixed(1)} x`,
      isMet: ratio >= PERL_BAR,
    },
    {
      what: `${label}, size`,
      bar: 'at most 1 % larger than Perl',
      measured: `${excess > 0 ? '+' : ''}${excess.toFixed(2)} %`,
      isMet: excess <= 1,
    },
  );
  bars.push({
    what: `${label}, answers through maxmind`,
    bar: `equal at ${compared.addresses} addresses`,
    measured: `${compared.differences} differ`,
    isMet: compared.differences === 0,
  });
  return bars;
}

/** Times the speed of Perl's writer. */
const PERL_BAR = 25;

function writeOurs(networkCount: number, recordCount: number, folder: string): WrittenByUs {
  const input = timed(() => ({
    networks: exampleNetworks(networkCount, recordCount),
    records: exampleRecords(recordCount),
  }));
  const { networks, records } = input.result;
  const table = new PrefixTable();
  const insert = timed(() => {
    for (let i = 0; i < networks.count; i++) {
      table.insert(addressOf(networks, i), networks.lengths[i]!, networks.recordIds[i]!);
    }
  });
  const flatten = timed(() => table.flatten());
  const write = timed(() =>
    writeMmdb(join(folder, 'ours.mmdb'), {
      table: flatten.result,
      records,
      schema: CITY_SCHEMA,
      databaseType: 'ipatlas-Bench',
      description: { en: 'benchmark' },
      languages: ['en', 'zh-CN'],
      ipVersion: 6,
      buildEpoch: 1_700_000_000,
    }),
  );
  const { nodeCount, recordSize, sizeBytes } = write.result;
  return {
    seconds: insert.seconds + flatten.seconds + write.seconds,
    insertSeconds: insert.seconds,
    flattenSeconds: flatten.seconds,
    writeSeconds: write.seconds,
    inputSeconds: input.seconds,
    peakMb: peakMb(),
    bytes: sizeBytes,
    nodeCount,
    recordSize,
  };
}

/** Writes the same networks and records as text for Perl: lines of `prefix id`, and a Perl literal per record. */
function writeInput(networkCount: number, recordCount: number, folder: string): void {
  const networks = exampleNetworks(networkCount, recordCount);
  writeLines(join(folder, 'networks.txt'), networks.count, (i) => {
    return `${formatPrefix(addressOf(networks, i), networks.lengths[i]!)} ${networks.recordIds[i]!}`;
  });
  const records = exampleRecords(recordCount);
  writeLines(join(folder, 'records.txt'), records.length, (i) => perlLiteral(records[i]));
}

function writeLines(path: string, count: number, lineOf: (index: number) => string): void {
  const file = openSync(path, 'w');
  for (let from = 0; from < count; from += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, count - from) }, (_, i) => lineOf(from + i));
    writeSync(file, `${lines.join('\n')}\n`);
  }
  closeSync(file);
}

function perlLiteral(value: unknown): string {
  if (typeof value === 'string') return `'${value.replace(/['\\]/g, '\\$&')}'`;
  if (Array.isArray(value)) return `[${value.map(perlLiteral).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value as ExampleRecord);
  return `{${entries.map(([key, entry]) => `'${key}',${perlLiteral(entry)}`).join(',')}}`;
}

function perlVersion(): string | undefined {
  const print = 'print $MaxMind::DB::Writer::Tree::VERSION';
  try {
    return execFileSync('perl', ['-MMaxMind::DB::Writer::Tree', '-e', print], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    if (error instanceof Error && ('status' in error || 'code' in error)) return undefined;
    throw error;
  }
}

function runPerl(folder: string, recordSize: number): Written {
  const printed = execFileSync('perl', ['-e', PERL_WRITER, folder, String(recordSize)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [inputSeconds, seconds, peakKib, bytes] = printed.split(' ').map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return { seconds, inputSeconds, peakMb: (peakKib * 1024) / 1e6, bytes };
}

const PERL_WRITER = String.raw`
use strict; use warnings; use utf8;
use Time::HiRes qw(time);
use MaxMind::DB::Writer::Tree;
my ($folder, $record_size) = @ARGV;
my %types = (
  (map { $_ => 'map' } qw(city continent country location names registered_country)),
  (map { $_ => 'double' } qw(latitude longitude)),
  subdivisions => ['array', 'map'], geoname_id => 'uint32', accuracy_radius => 'uint16',
);
my $tree = MaxMind::DB::Writer::Tree->new(
  ip_version => 6, record_size => $record_size, database_type => 'ipatlas-Bench', languages => ['en', 'zh-CN'],
  description => { en => 'benchmark' }, map_key_type_callback => sub { $types{$_[0]} || 'utf8_string' },
  alias_ipv6_to_ipv4 => 1, remove_reserved_networks => 0,
);
my $start = time;
open my $in, '<:encoding(UTF-8)', "$folder/records.txt" or die $!;
my @records;
while (my $line = <$in>) { push @records, eval $line; die $@ if $@ }
close $in;
my $loading = time - $start;
my $lines_of = sub {
  my $use = shift;
  open my $in, '<', "$folder/networks.txt" or die $!;
  while (my $line = <$in>) { chomp $line; my ($prefix, $id) = split / /, $line; $use->($prefix, $id) }
  close $in;
};
$start = time;
my $last;
$lines_of->(sub { $last = $records[$_[1]] });
my $reading = time - $start;
$start = time;
$lines_of->(sub { $tree->insert_network($_[0], $records[$_[1]]) });
open my $out, '>:raw', "$folder/perl.mmdb" or die $!;
$tree->write_tree($out);
close $out or die $!;
my $writing = time - $start - $reading;
my $peak = 0;
if (open my $status, '<', '/proc/self/status') { while (<$status>) { $peak = $1 if /^VmHWM:\s+(\d+)/ } }
print join ' ', $loading + $reading, $writing, $peak, -s "$folder/perl.mmdb";
`;

/** Verifies our file, and looks up addresses in and near the networks in both files. */
function compare(networkCount: number, folder: string, withPeer: boolean): Compared {
  const ours = readFileSync(join(folder, 'ours.mmdb'));
  const { problemCount } = verifyMmdb(ours, { schema: CITY_SCHEMA });
  if (!withPeer) return { problems: problemCount, addresses: 0, differences: 0 };
  const ourReader = new Reader<Response>(ours);
  const peerReader = new Reader<Response>(readFileSync(join(folder, 'perl.mmdb')));
  const networks = exampleNetworks(networkCount, 1);
  const random = pseudoRandom(11);
  const address = newAddress();
  let differences = 0;
  for (let i = 0; i < SAMPLES; i++) {
    addressInside(networks, random(networks.count), random, address);
    // Every tenth address may be outside all networks: few networks have this bit set.
    if (i % 10 === 0) address[familyOf(address) === 4 ? 3 : 0]! ^= 0x0080_0000;
    const text = formatAddress(address, familyOf(address));
    const answers = [ourReader, peerReader].map((reader) => JSON.stringify(sorted(reader.get(text))));
    if (answers[0] !== answers[1]) differences++;
  }
  return { problems: problemCount, addresses: SAMPLES, differences };
}

const SAMPLES = 10_000;

/** Returns the value with sorted map keys. Writers may store keys in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}

const [part, ...args] = process.argv.slice(2);
switch (part) {
  case 'ours':
    printJson(writeOurs(Number(args[0]), Number(args[1]), args[2]!));
    break;
  case 'input':
    writeInput(Number(args[0]), Number(args[1]), args[2]!);
    printJson('written');
    break;
  case 'compare':
    printJson(compare(Number(args[0]), args[1]!, args[2] === 'perl'));
    break;
  default:
    printJson(bench(part === '--quick' ? QUICK_SIZES : SIZES));
}

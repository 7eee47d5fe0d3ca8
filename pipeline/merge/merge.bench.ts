import { fileURLToPath } from 'node:url';
import { peakMb, printJson, runPart, timed, type BenchReport, type BenchRow } from '../bench/bench-report.js';
import type { Claim } from '../input/claims/claim.js';
import { FEED_IDS, type FeedId } from '../feeds/feed-id.js';
import { addressOf, exampleNetworks, type NetworkColumns } from '../table/networks.fixture.js';
import { PrefixTable } from '../table/prefix-table.js';
import { ABSENT, zip } from '../table/zip.js';
import { mergeTables, type Edition, type FeedTable } from './merge-tables.js';
import type { Places } from './places.js';

const FILE = fileURLToPath(import.meta.url);

type Figures = BenchRow['figures'];

const CITIES = 50_000;
const COUNTRIES = 200;
const REGIONS = 16;
const AS_NUMBERS = 60_000;

/** The kinds of claim about a place: the city, the city with other coordinates, the region, the country. */
const KINDS = 4;

/** Feeds that name only the country; `ipinfo` also names the AS, which the merge ignores. */
const COUNTRY_ONLY: ReadonlySet<FeedId> = new Set(['own', 'ipinfo']);

/** The share of networks that a feed covers, in percent. */
const COVERAGE = 60;

/** The number of distinct combinations of claims for the networks of one city. */
const MIXTURES = 24;

/** The measured parts, each in its own process. The input is generated before the clock starts. */
const PARTS: Readonly<Record<string, (count: number) => Figures>> = {
  'the walk alone': (count) => {
    const { tables } = exampleFeeds(count);
    let claimed = 0;
    const flat = tables.map(({ table }) => table);
    const figures = measure(tables, () => [{ table: zip(flat, (ids) => firstOf(ids, ++claimed)) }]);
    return { ...figures, claimed };
  },
  'one edition': (count) => {
    const { tables, served } = exampleFeeds(count);
    return measure(tables, () => mergeTables(tables, [served]));
  },
  'two editions': (count) => {
    const { tables, served, downloadable } = exampleFeeds(count);
    return measure(tables, () => mergeTables(tables, [served, downloadable]));
  },
};

interface Merged {
  readonly table: FeedTable['table'];
  readonly locations?: { readonly length: number };
  readonly decisions?: number;
}

function measure(tables: readonly FeedTable[], run: () => readonly Merged[]): Figures {
  const rows = tables.reduce((sum, { table }) => sum + table.networkCount(), 0);
  const inputMb = peakMb();
  const before = process.cpuUsage();
  const { result, seconds } = timed(run);
  const { user, system } = process.cpuUsage(before);
  const figures = {
    rows,
    networks: result[0]!.table.networkCount(),
    seconds,
    cpuSeconds: (user + system) / 1e6,
    inputMb,
    peakMb: peakMb(),
  };
  const decisions = result.reduce((sum, merged) => sum + (merged.decisions ?? 0), 0);
  const locations = result.reduce((sum, merged) => sum + (merged.locations?.length ?? 0), 0);
  return decisions === 0 ? figures : { ...figures, decisions, locations };
}

function firstOf(ids: Int32Array, fallback: number): number {
  for (const id of ids) if (id !== ABSENT) return id;
  return fallback;
}

interface ExampleFeeds {
  readonly tables: readonly FeedTable[];
  readonly served: Edition;
  readonly downloadable: Edition;
}

/**
 * Generates eight feeds over the same networks. Four rows of five are right; the others name a city nearby, a city
 * elsewhere, or no city. Neighbouring networks mostly share their place.
 */
function exampleFeeds(count: number): ExampleFeeds {
  const networks = exampleNetworks(count, CITIES);
  const tables = FEED_IDS.map((feed) => ({ feed, table: tableOf(feed, networks) }));
  const claims = new Map(FEED_IDS.map((feed) => [feed, claimsOf(feed)]));
  const open = (['own', 'dbip', 'ip2region'] as const).map((feed) => [feed, claims.get(feed)!] as const);
  return {
    tables,
    served: { places: PLACES, claims },
    downloadable: { places: PLACES, claims: new Map(open) },
  };
}

function tableOf(feed: FeedId, networks: NetworkColumns): FeedTable['table'] {
  const table = new PrefixTable();
  const seed = FEED_IDS.indexOf(feed) + 1;
  for (let i = 0; i < networks.count; i++) {
    const city = networks.recordIds[i]!;
    const mixture = city * MIXTURES + (mix(i, 5) % MIXTURES);
    if (feed !== 'own' && mix(mixture, seed) % 100 >= COVERAGE) continue;
    table.insert(addressOf(networks, i), networks.lengths[i]!, claimIdOf(feed, mixture, i));
  }
  return table.flatten();
}

/** Returns the claim id of a feed for network `i`. */
function claimIdOf(feed: FeedId, mixture: number, i: number): number {
  const city = Math.floor(mixture / MIXTURES);
  if (feed === 'own') return countryOf(city);
  if (feed === 'ipinfo') {
    // A few networks of each city belong to other AS numbers of the same country.
    const asn = (mix(city, 77) + (mix(i, 6) % 3)) % (AS_NUMBERS / COUNTRIES);
    return asn * COUNTRIES + countryOf(city);
  }
  const draw = mix(mixture, FEED_IDS.indexOf(feed) + 100) % 100;
  if (draw < 80) return city * KINDS;
  if (draw < 86) return city * KINDS + 1;
  if (draw < 90) return ((city + 1) % CITIES) * KINDS;
  if (draw < 94) return city * KINDS + 2;
  if (draw < 97) return city * KINDS + 3;
  return (mix(city, draw) % CITIES) * KINDS;
}

function claimsOf(feed: FeedId): Claim[] {
  if (feed === 'ipinfo') {
    return Array.from({ length: AS_NUMBERS }, (_, asn) => ({ country: codeOf(asn % COUNTRIES), asn }));
  }
  if (feed === 'own') {
    return Array.from({ length: COUNTRIES }, (_, country) => {
      const code = codeOf(country);
      return { country: code, registeredCountry: code, basis: 'registration' as const };
    });
  }
  return Array.from({ length: CITIES * KINDS }, (_, id) => claimOf(feed, Math.floor(id / KINDS), id % KINDS));
}

function claimOf(feed: FeedId, city: number, kind: number): Claim {
  const country = codeOf(countryOf(city));
  if (kind === 3 || COUNTRY_ONLY.has(feed)) return { country };
  const region = regionOf(city);
  if (kind === 2) return { country, region };
  const { latitude, longitude } = spotOf(city);
  const shift = (FEED_IDS.indexOf(feed) + 8 * kind) / 100;
  return { country, region, cityId: city + 1, latitude: latitude + shift, longitude };
}

/** The cities of a country have consecutive numbers and are about 20 km apart. */
function countryOf(city: number): number {
  return Math.floor((city * COUNTRIES) / CITIES);
}

function regionOf(city: number): string {
  return `${codeOf(countryOf(city))}-${Math.floor((city * COUNTRIES * REGIONS) / CITIES) % REGIONS}`;
}

function spotOf(city: number): { latitude: number; longitude: number } {
  return { latitude: Math.floor(city / 500) - 50, longitude: (city % 500) / 5 };
}

function codeOf(country: number): string {
  return String.fromCharCode(65 + Math.floor(country / 26), 65 + (country % 26));
}

const PLACES: Places = {
  coordinatesOf: (cityId) => spotOf(cityId - 1),
  regionOfCity: (cityId) => regionOf(cityId - 1),
  timeZoneOf: (cityId) => `Zone/${countryOf(cityId - 1)}`,
  areaOf: (code) => ({ code, ...spotOf(code.charCodeAt(0) * code.length), radiusKm: 100 * code.length }),
};

/** Returns an unsigned 32-bit hash of two integers. */
function mix(value: number, seed: number): number {
  let mixed = Math.imul(value ^ Math.imul(seed, 0x9e37_79b9), 0x21f0_aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

function bench(count: number): BenchReport {
  const rows = Object.keys(PARTS).map((subject) => ({
    subject,
    figures: runPart(FILE, [subject, count]) as Figures,
  }));
  const { networks, seconds, peakMb: peak } = rows[1]!.figures as Record<string, number>;
  const measured = `${seconds!.toFixed(1)} s, ${Math.round(peak!)} MB for ${(networks! / 1e6).toFixed(1)} M networks`;
  return {
    bench: 'merge',
    notes: [
      `${FEED_IDS.length} feeds over ${count / 1e6} M networks, ${CITIES / 1e3} k cities; rows: in all tables together`,
      'claimed: distinct tuples of claims; decisions: distinct tuples of resolved claims, all editions',
      'cpuSeconds: all threads with garbage collection; inputMb: peak memory before the clock starts; peakMb: at the end',
    ],
    rows,
    bars: [
      {
        what: 'walk and merge, one edition',
        bar: 'under 30 s and 2 GB for 5 M networks',
        measured,
        isMet: seconds! < 30 && peak! < 2000,
      },
    ],
  };
}

const [part = '', count] = process.argv.slice(2);
const run = PARTS[part];
if (run) printJson(run(Number(count)));
else printJson(bench(part === '--quick' ? 100_000 : 5_000_000));

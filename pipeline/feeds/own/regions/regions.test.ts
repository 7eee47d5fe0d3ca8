import t from 'tap';
import { readAwsRanges } from '../../../input/cloud/aws-ranges.js';
import { AZURE_CLOUD, readAzureTags } from '../../../input/cloud/azure-tags.js';
import { readGoogleRanges } from '../../../input/cloud/google-ranges.js';
import { readOracleRanges } from '../../../input/cloud/oracle-ranges.js';
import { parseCountry } from '../../../input/names/iso3166.js';
import { REAL_FILES, withoutReal } from '../../../input/testing/real-files.js';
import { openAt } from '../../testing/own-trial.js';
import { placeOfBorderGroup } from './aws-regions.js';
import { AZURE_REGIONS } from './azure-regions.js';
import { GOOGLE_REGIONS } from './google-regions.js';
import { ORACLE_REGIONS } from './oracle-regions.js';
import { ANYCAST, NO_PLACE, type RegionPlaces } from './region-place.js';

const AWS = 'cloud/ip-ranges.json';
const AZURE = 'cloud/ServiceTags_Public_20250721.json.gz';
const GOOGLE = 'cloud/cloud.json';
const ORACLE = 'cloud/public_ip_ranges.json';

const NO_ROWS = { reject: () => t.fail('a row of a real file was rejected') };

t.test('every border group of AWS has a place or none', { skip: withoutReal([AWS]) }, async (t) => {
  const ranges = await readAwsRanges(openAt(REAL_FILES, AWS), NO_ROWS);
  const groups = [...new Set(ranges.map(({ borderGroup }) => borderGroup ?? ''))];
  const [missing, without] = outcomes(groups, placeOfBorderGroup);
  t.same(missing, []);
  t.same(without.sort(), [
    'GLOBAL',
    'ap-southeast-1-sggov-sin-1a',
    'ap-southeast-1-sggov-sin-1b',
    'ap-southeast-1-sggov-sin-2',
    'me-west-1',
    'sa-west-1',
    'us-east-1-foe-wlz-1',
    'us-east-2-jan-1',
    'us-south-1',
  ]);
});

t.test('every scope of Google has a place or none', { skip: withoutReal([GOOGLE]) }, async (t) => {
  const ranges = await readGoogleRanges(openAt(REAL_FILES, GOOGLE), NO_ROWS);
  const [missing, without] = outcomes(
    ranges.map(({ scope }) => scope ?? ''),
    (scope) => GOOGLE_REGIONS[scope],
  );
  t.same(missing, []);
  t.same(without.sort(), ['us-central2', 'us-east7', 'us-west8']);
});

t.test('every region of Azure’s tags has a place or none', { skip: withoutReal([AZURE]) }, async (t) => {
  const regions: string[] = [];
  await readAzureTags(openAt(REAL_FILES, AZURE), NO_ROWS, ({ family, part }) => {
    if (family === AZURE_CLOUD && part !== '') regions.push(part);
  });
  const [missing, without] = outcomes(regions, (region) => AZURE_REGIONS[region]);
  t.same(missing, []);
  t.same(without.sort(), ['centraluseuap', 'eastus2euap', 'northeurope2', 'usstagec', 'usstagee']);
});

t.test('every region of Oracle has a place or none', { skip: withoutReal([ORACLE]) }, async (t) => {
  const ranges = await readOracleRanges(openAt(REAL_FILES, ORACLE), NO_ROWS);
  const [missing, without] = outcomes(
    ranges.map(({ region }) => region),
    (region) => ORACLE_REGIONS[region],
  );
  t.same(missing, []);
  t.same(without.sort(), ['us-abilene-1', 'us-boardman-1', 'us-dallas-1', 'us-saltlake-2']);
});

t.test('zones of AWS are in their own cities, regions in those of their names', (t) => {
  const cases: Readonly<Record<string, unknown>> = {
    'us-west-2': { country: 'US', region: 'US-OR' },
    'us-west-2-lax-1': { country: 'US', region: 'US-CA', cityName: 'Los Angeles' },
    'us-west-2-las-1b': { country: 'US', region: 'US-NV', cityName: 'Las Vegas' },
    'us-east-1-wl1-bos-wlz-1': { country: 'US', region: 'US-MA', cityName: 'Boston' },
    'us-east-1-scl-1': { country: 'CL', cityName: 'Santiago' },
    'eu-west-1': { country: 'IE' },
    'eu-central-1': { country: 'DE', cityName: 'Frankfurt' },
    'us-east-2-jan-1': NO_PLACE,
    GLOBAL: NO_PLACE,
  };
  for (const [group, place] of Object.entries(cases)) t.same(placeOfBorderGroup(group), place, group);
  t.end();
});

t.test('the place of an unknown region or zone is not guessed', (t) => {
  const groups = ['', 'eu-north-9', 'us-west-2-xyz-1', 'us-nowhere-1-lax-1', 'us-nowhere-1-wl1-bos-wlz-1'];
  for (const group of [...groups, 'us-west-2-wl1-xyz-wlz-1', 'global', 'toString', 'constructor']) {
    t.equal(placeOfBorderGroup(group), undefined, group);
  }
  t.end();
});

t.test('every place has a country, and its region is in that country', (t) => {
  for (const places of [AZURE_REGIONS, GOOGLE_REGIONS, ORACLE_REGIONS]) {
    for (const [name, place] of Object.entries(places)) {
      if (place === NO_PLACE || place === ANYCAST) continue;
      t.equal(parseCountry(place.country), place.country, name);
      if (place.region !== undefined) t.ok(place.region.startsWith(`${place.country}-`), name);
    }
  }
  t.end();
});

/** Returns the names that are unknown, and those without a place. */
function outcomes(
  names: readonly string[],
  placeOf: (name: string) => RegionPlaces[string] | undefined,
): [missing: string[], without: string[]] {
  const distinct = [...new Set(names)];
  return [
    distinct.filter((name) => placeOf(name) === undefined),
    distinct.filter((name) => placeOf(name) === NO_PLACE),
  ];
}

import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Claim } from '../../input/claims/claim.js';
import { present } from '../../mmdb/present.js';
import { tryContents, type Trial } from '../testing/own-trial.js';

const ACME = 'https://acme.example.net/geofeed.csv';
const OTHER = 'https://other.example.org/geo.csv?format=csv';
const ACME_FILE = foundFile(ACME);
const OTHER_FILE = foundFile(OTHER);
const LIST = 'whois-geofeed/references.csv';

function foundFile(url: string): string {
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 32);
  return `own/geofeeds-found/${new URL(url).hostname}-${digest}.csv`;
}

/** Reads the geofeed of ACME with some references. */
function readAcme(t: Test, references: readonly string[], rows: readonly string[]): Promise<Trial> {
  return tryContents(t.testdir(), {
    [LIST]: references.join('\n'),
    [ACME_FILE]: rows.join('\n'),
  });
}

/** Returns the claim about an address without the file that states it. */
function placeAt(trial: Trial, address: string): Claim | undefined {
  const claim = trial.claimAt(address);
  return claim && present({ ...claim, statedBy: undefined });
}

t.test('a row inside a block whose registration names the geofeed is a statement', async (t) => {
  const trial = await readAcme(
    t,
    [`5.5.0.0 - 5.5.3.255,${ACME}`, `2a00:5::/32,${ACME}`],
    ['5.5.0.0/22,DE,DE-BE,Berlin,', '5.5.1.0/24,FR,,,', '2a00:5:1::/48,PL,,,'],
  );
  t.same(placeAt(trial, '5.5.0.1'), { country: 'DE', region: 'DE-BE', cityName: 'Berlin', basis: 'geofeed' });
  t.equal(trial.claimAt('5.5.0.1')?.statedBy, ACME_FILE);
  t.same(placeAt(trial, '5.5.1.1'), { country: 'FR', basis: 'geofeed' });
  t.same(placeAt(trial, '2a00:5:1::1'), { country: 'PL', basis: 'geofeed' });
  t.same(trial.tally(ACME_FILE).notes, {});
  t.match(trial.tally(LIST), { accepted: 2, rejected: 0 });
});

t.test('other rows are observations, between exchanges and whois blocks, and are counted', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [LIST]: `5.5.0.0/24,${ACME}\n`,
    [ACME_FILE]: '5.5.0.0/24,DE,,,\n5.5.1.0/24,FR,,Paris,\n5.5.2.0/24,,,,\n',
    'own/country/us/us-ipv4.txt': '5.5.0.0/16\n',
  });
  t.same(placeAt(trial, '5.5.0.1'), { country: 'DE', basis: 'geofeed', registeredCountry: 'US' });
  t.same(placeAt(trial, '5.5.1.1'), { country: 'FR', cityName: 'Paris', registeredCountry: 'US' });
  t.same(
    placeAt(trial, '5.5.2.1'),
    { country: 'US', basis: 'registration', registeredCountry: 'US' },
    'only the operator may ask for no location',
  );
  t.match(trial.tally(ACME_FILE), { rows: 3, accepted: 3, rejected: 0 });
  t.same(trial.tally(ACME_FILE).notes, { 'not-referenced': 2 });
});

t.test(
  'a geofeed without any reference, or with a name that is no digest of a URL, has only observations',
  async (t) => {
    const trial = await tryContents(t.testdir(), {
      [LIST]: `5.5.0.0/24,${OTHER}\n`,
      [ACME_FILE]: '5.5.0.0/24,DE,,,\n',
      'own/geofeeds-found/acme.csv': '5.6.0.0/24,DE,,,\n',
    });
    t.same(placeAt(trial, '5.5.0.1'), { country: 'DE' });
    t.same(placeAt(trial, '5.6.0.1'), { country: 'DE' });
    t.same(trial.tally('own/geofeeds-found/acme.csv').notes, { 'not-referenced': 1 });
  },
);

t.test('the most specific registration with a geofeed decides', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [LIST]: `5.5.0.0/16,${ACME}\n5.5.4.0-5.5.6.255,${OTHER}\n`,
    [ACME_FILE]: '5.5.4.0/24,DE,,,\n5.5.7.0/24,DE,,,\n',
    [OTHER_FILE]: '5.5.4.0/24,FR,,,\n5.5.7.0/24,FR,,,\n',
  });
  t.same(placeAt(trial, '5.5.4.1'), { country: 'FR', basis: 'geofeed' });
  t.same(placeAt(trial, '5.5.7.1'), { country: 'DE', basis: 'geofeed' });
  t.same(trial.tally(ACME_FILE).notes, { 'not-referenced': 1 });
  t.same(trial.tally(OTHER_FILE).notes, { 'not-referenced': 1 });
});

t.test('a row that is partly in the blocks is a statement there and an observation elsewhere', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [LIST]: `5.5.0.0/16,${ACME}\n5.5.4.0/24,${OTHER}\n5.8.0.0/24,${ACME}\n5.8.1.0/24,${ACME}\n`,
    [ACME_FILE]: [
      '5.5.0.0/16,DE,,,',
      '5.5.4.0/23,PL,,,',
      '5.5.5.0/24,CZ,,,',
      '5.8.0.0/23,SE,,,',
      '5.8.0.0/22,NO,,,',
    ].join('\n'),
    [OTHER_FILE]: '# no row\n',
  });
  t.same(placeAt(trial, '5.5.0.1'), { country: 'DE', basis: 'geofeed' });
  t.same(placeAt(trial, '5.5.4.1'), { country: 'PL' }, 'the block of another geofeed');
  t.same(placeAt(trial, '5.5.5.1'), { country: 'CZ', basis: 'geofeed' }, 'a more specific row');
  t.same(placeAt(trial, '5.8.1.1'), { country: 'SE', basis: 'geofeed' }, 'two adjacent blocks');
  t.same(placeAt(trial, '5.8.2.1'), { country: 'NO' });
  t.match(trial.tally(ACME_FILE), { rows: 5, accepted: 5 });
  t.same(trial.tally(ACME_FILE).notes, { 'partly-referenced': 3 });
});

t.test('a divided row does not hide more specific rows, whatever their order', async (t) => {
  const references = [`5.5.0.0/16,${ACME}`, `5.5.4.0/24,${OTHER}`];
  const rows = ['5.5.0.0/16,DE,,,', '5.5.0.0/21,PL,,,', '5.5.5.0/24,CZ,,,', '5.5.6.0/23,SK,,,'];
  const expected = { '5.5.9.1': 'DE', '5.5.0.1': 'PL', '5.5.5.1': 'CZ', '5.5.6.1': 'SK' };
  for (const order of [rows, rows.toReversed()]) {
    const trial = await readAcme(t, references, order);
    for (const [address, country] of Object.entries(expected)) {
      t.same(placeAt(trial, address), { country, basis: 'geofeed' }, address);
    }
  }
});

t.test('a listed geofeed wins over one that was found, and both over other layers', async (t) => {
  const trial = await tryContents(t.testdir(), {
    [LIST]: `5.5.0.0/16,${ACME}\n`,
    [ACME_FILE]: '5.5.0.0/24,DE,,,\n5.5.1.0/24,DE,,,\n',
    'own/geofeeds/listed.csv': '5.5.0.0/16,FR,,,\n',
    'own/country/us/us-ipv4.txt': '5.5.0.0/16\n',
  });
  t.match(trial.claimAt('5.5.0.1'), { country: 'FR', basis: 'geofeed' });
});

t.test('a listed geofeed with references states all its rows, and those outside are noted', async (t) => {
  const digest = createHash('sha256').update(ACME).digest('hex').slice(0, 8);
  const listed = `own/geofeeds/acme.example.net-${digest}.csv`;
  const trial = await tryContents(t.testdir(), {
    [LIST]: `5.5.0.0/24,${ACME}\n`,
    [listed]: '5.5.0.0/24,DE,,,\n5.5.0.0/23,FR,,,\n5.7.0.0/24,FR,,,\n',
    'own/geofeeds/by-hand.csv': '5.9.0.0/24,FR,,,\n',
  });
  t.same(placeAt(trial, '5.7.0.1'), { country: 'FR', basis: 'geofeed' });
  t.same(trial.tally(listed).notes, { 'partly-referenced': 1, 'not-referenced': 1 });
  t.same(trial.tally('own/geofeeds/by-hand.csv').notes, {}, 'its URL is unknown');
});

t.test('a signature (RFC 9632 §5) is a comment', async (t) => {
  const trial = await readAcme(
    t,
    [`5.5.0.0/24,${ACME}`],
    [
      '5.5.0.0/24,DE,,,',
      '# RPKI Signature: 192.0.2.0 - 192.0.2.255',
      '# MIIGlwYJKoZIhvcNAQcCoIIGiDCCBoQCAQMxDTALBglghkgBZQMEAgEwDQYLKoZ',
      '# IhvcNAQkQAS+gggSxMIIErTCCA5WgAwIBAgIUJ605QIPX8rW5m4Zwx3WyuW7hZu',
      '# End Signature: 192.0.2.0 - 192.0.2.255',
    ],
  );
  t.match(trial.tally(ACME_FILE), { rows: 1, accepted: 1 });
});

t.test('rows wider than any operator’s network are rejected', async (t) => {
  const trial = await readAcme(
    t,
    [`5.5.0.0/24,${ACME}`],
    [
      '0.0.0.0/0,DE,,,',
      '::/0,DE,,,',
      '2000::/4,DE,,,',
      '5.0.0.0/7,DE,,,',
      '5.0.0.0/8,DE,,,',
      '::5.5.0.0/120,DE,,,',
    ],
  );
  t.match(trial.tally(ACME_FILE), { accepted: 1, rejected: 5 });
  t.same(
    trial.rejections(ACME_FILE),
    ['prefix-length@1', 'prefix-length@2', 'prefix-length@3', 'reserved@6'],
    'the first three of each reason',
  );
  t.same(placeAt(trial, '5.5.0.1'), { country: 'DE', basis: 'geofeed' });
  t.same(placeAt(trial, '5.6.0.1'), { country: 'DE' });
});

t.test('references that are not https, not public or too wide are rejected with their line', async (t) => {
  const bad = [
    `0.0.0.0/0,${ACME}`,
    `0.0.0.0 - 255.255.255.255,${ACME}`,
    '5.5.0.0/24,http://acme.example.net/geofeed.csv',
    '5.5.0.0/24,file:///etc/passwd',
    '5.5.0.0/24,https://127.0.0.1/geofeed.csv',
    '5.5.0.0/24,https://[::1]/geofeed.csv',
    '5.5.0.0/24,https://2130706433/geofeed.csv',
    '5.5.0.0/24,https://localhost/geofeed.csv',
    '5.5.0.0/24,https://user:password@acme.example.net/geofeed.csv',
    `5.5.0.0/33,${ACME}`,
    `5.5.0.9-5.5.0.1,${ACME}`,
    `5.5.0.0-2a00::,${ACME}`,
    `::5.5.0.0/120,${ACME}`,
    '5.5.0.0/24',
    `5.5.0.0/24,${ACME},yesterday`,
    `5.5.0.0/24,"${ACME}`,
  ];
  for (const line of bad) {
    const trial = await readAcme(t, ['# prefix,url', line], ['5.5.0.0/24,DE,,,']);
    t.match(trial.tally(LIST), { rows: 1, rejected: 1 }, line);
    t.match(trial.rejections(LIST)[0], /@2$/);
    t.same(placeAt(trial, '5.5.0.1'), { country: 'DE' }, 'an observation');
  }
});

t.test('of two registrations of a block, the one that was changed last counts', async (t) => {
  const older = `5.5.0.0/24,${OTHER},2020-01-01T00:00:00Z`;
  const newer = `5.5.0.0 - 5.5.0.255,${ACME},2024-01-01T00:00:00Z`;
  for (const references of [
    [older, newer],
    [newer, older],
  ]) {
    const trial = await readAcme(t, references, ['5.5.0.0/24,DE,,,']);
    t.same(placeAt(trial, '5.5.0.1'), { country: 'DE', basis: 'geofeed' });
  }
});

t.test('repeated rows over a block of thousands of pieces are divided once', async (t) => {
  const references = [`5.0.0.0/8,${ACME}`];
  for (let i = 0; i < 20_000; i++) references.push(`5.${i >>> 8}.${i & 255}.0/32,${OTHER}`);
  const rows = Array.from({ length: 200_000 }, () => '5.0.0.0/8,DE,,,');
  const trial = await readAcme(t, references, rows);
  t.match(trial.tally(ACME_FILE).notes, { 'partly-referenced': 200_000 });
  t.same(placeAt(trial, '5.0.0.1'), { country: 'DE', basis: 'geofeed' });
  t.same(placeAt(trial, '5.0.0.0'), { country: 'DE' });
});

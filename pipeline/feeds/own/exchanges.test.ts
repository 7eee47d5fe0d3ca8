import t, { type Test } from 'tap';
import { tryContents, type Trial } from '../testing/own-trial.js';
import { placeOfExchange } from './exchange-place.js';
import { EXCHANGE_CLAIMS } from './exchanges.js';

const IX = { id: 26, name: 'AMS-IX', name_long: '', city: 'Amsterdam', country: 'NL', status: 'ok' };
const LAN = { id: 26, ix_id: 26, rs_asn: 0, status: 'ok' };
const PREFIX = { id: 1, ixlan_id: 26, prefix: '80.249.208.0/21', status: 'ok' };

const list = (...objects: readonly unknown[]): string => JSON.stringify({ data: objects, meta: {} });
const WHOLE = {
  'peeringdb/ix-0.json': list(IX),
  'peeringdb/ixlan-0.json': list(LAN),
  'peeringdb/ixpfx-0.json': list(PREFIX, { ...PREFIX, id: 2, prefix: '2001:7f8:1::/64' }),
};

function tryFiles(t: Test, contents: Readonly<Record<string, string>>): Promise<Trial> {
  return tryContents(t.testdir(), contents);
}

t.test('the LAN of an exchange is in the city of the exchange', async (t) => {
  const trial = await tryFiles(t, WHOLE);
  const statedBy = 'peeringdb/ixpfx-0.json';
  const place = { country: 'NL', cityName: 'Amsterdam', basis: 'exchange', statedBy };
  t.same(trial.claimAt('80.249.208.1'), place);
  t.same(trial.claimAt('2001:7f8:1::1'), place);
  t.equal(trial.claimAt('80.249.216.1'), undefined);
  t.equal(trial.tally('peeringdb/ixpfx-0.json').accepted, 2);
  t.same(trial.tally('peeringdb/ixpfx-0.json').notes, {});
  t.same(trial.tally('peeringdb/ix-0.json').notes, { unknown: 1 }, 'a row without a network');
});

t.test('a dump of all kinds gives the same claims, and is not read beside files of a kind', async (t) => {
  const dump = JSON.stringify({
    ix: { data: [IX] },
    ixlan: { data: [LAN] },
    ixpfx: { data: [PREFIX] },
    poc: { data: [{ email: 'person@example.net' }] },
  });
  const name = 'peeringdb/peeringdb_2_dump_2026_11_20.json';
  const trial = await tryFiles(t, { [name]: dump });
  t.match(trial.claimAt('80.249.208.1'), { cityName: 'Amsterdam' });
  t.equal(trial.tally(name).rows, 3);
  t.same((await tryFiles(t, { ...WHOLE, [name]: dump })).files.sort(), Object.keys(WHOLE).sort());
});

t.test('a LAN without an exchange or a country has no claim, and every row is counted', async (t) => {
  const trial = await tryFiles(t, {
    'peeringdb/ix-0.json': list(
      { ...IX, country: '' },
      { ...IX, id: 2, status: 'deleted' },
      { ...IX, id: 0 },
      7,
    ),
    'peeringdb/ixlan-0.json': list(LAN, { ...LAN, id: 2, ix_id: 2 }),
    'peeringdb/ixpfx-0.json': list(
      PREFIX,
      { ...PREFIX, ixlan_id: 2, prefix: '80.81.192.0/21' },
      { ...PREFIX, ixlan_id: 99, prefix: '80.82.0.0/21' },
      { ...PREFIX, prefix: '0.0.0.0/0' },
    ),
  });
  t.equal(trial.networkCount, 0);
  t.same(trial.tally('peeringdb/ixpfx-0.json').notes, { unknown: 3, unresolved: 3 });
  t.same(trial.rejections('peeringdb/ixpfx-0.json'), ['json@4']);
  t.same(trial.rejections('peeringdb/ix-0.json'), ['json@3', 'json@4']);
  t.same(trial.tally('peeringdb/ix-0.json').notes, { unknown: 2, skipped: 1 });
});

t.test('a file without objects is refused', async (t) => {
  const refused = tryFiles(t, { ...WHOLE, 'peeringdb/ix-0.json': '{"data":[]}' });
  await t.rejects(refused, { name: 'FeedError', refusal: 'header', file: 'peeringdb/ix-0.json' });
});

t.test('an exchange in several cities has only its country', (t) => {
  const cities: readonly [city: string, expected: string | undefined][] = [
    ['Amsterdam', 'Amsterdam'],
    ['São Paulo/SP', 'São Paulo'],
    ['Billings, MT', 'Billings'],
    ['Frankfurt am Main', 'Frankfurt am Main'],
    ['Stoke-on-Trent', 'Stoke-on-Trent'],
    ['Sandviken', 'Sandviken'],
    ['Prague, Bratislava, Vienna, Frankfurt', undefined],
    ['Lyon and Grenoble', undefined],
    ['Enschede / Münster', undefined],
    ['Miami/Orlando', undefined],
    ['Eugene, Oregon', undefined],
    ['New York, Secaucus, NJ', undefined],
    ['-', undefined],
    ['', undefined],
  ];
  for (const [city, cityName] of cities) {
    const place = { country: 'NL', ...(cityName !== undefined && { cityName }), basis: 'exchange' };
    t.same(placeOfExchange({ ...IX, city }), place, city);
  }
  for (const name of ['Global-IX', 'Peering Europe', 'Wide IX']) {
    t.same(placeOfExchange({ ...IX, name }), { country: 'NL', basis: 'exchange' }, name);
    t.same(placeOfExchange({ ...IX, name_long: name }), { country: 'NL', basis: 'exchange' }, name);
  }
  t.end();
});

t.test('a country is a code of ISO 3166-1', (t) => {
  t.match(placeOfExchange({ ...IX, country: 'UK' }), { country: 'GB' });
  for (const country of ['', 'EU', 'XX', 'Netherlands'])
    t.equal(placeOfExchange({ ...IX, country }), undefined);
  t.end();
});

t.test('without PeeringDB a LAN has the country of registration, and other claims are the same', (t) => {
  const lan = { country: 'NL', cityName: 'Amsterdam', basis: 'exchange' } as const;
  t.same(EXCHANGE_CLAIMS.without(lan), { basis: 'registration' });
  t.same(EXCHANGE_CLAIMS.without({ ...lan, anycast: 'stated' }), {
    basis: 'registration',
    anycast: 'stated',
  });
  t.same(EXCHANGE_CLAIMS.without({ ...lan, registeredCountry: 'GB', isp: 'AMS-IX' }), {
    country: 'GB',
    registeredCountry: 'GB',
    isp: 'AMS-IX',
    basis: 'registration',
  });
  for (const basis of ['override', 'geofeed', 'cloud', 'registration'] as const) {
    const claim = { ...lan, basis };
    t.equal(EXCHANGE_CLAIMS.without(claim), claim);
  }
  t.end();
});

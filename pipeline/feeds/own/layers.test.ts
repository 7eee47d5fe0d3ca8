import t from 'tap';
import { combineOwn, combineUnstated, FREE_SPACE, NOT_LOCATED, OWN_LAYERS } from './layers.js';
import type { Claim } from '../../input/claims/claim.js';

const override: Claim = { country: 'CA', cityName: 'Halifax', isp: 'Eastlink', basis: 'override' };
const ispOnly: Claim = { isp: 'Vodacom', basis: 'override' };
const geofeed: Claim = { country: 'CA', region: 'CA-BC', basis: 'geofeed' };
const cloud: Claim = { country: 'IE', basis: 'cloud' };
const exchange: Claim = { country: 'NL', cityName: 'Amsterdam', basis: 'exchange' };
const whois: Claim = { country: 'US', basis: 'registration' };
const delegation: Claim = { country: 'GB', basis: 'registration' };

function combine(claims: Partial<Record<(typeof OWN_LAYERS)[number], Claim>>): Claim | undefined {
  return combineOwn(OWN_LAYERS.map((layer) => claims[layer]));
}

t.test('the location is that of the strongest layer with a location', (t) => {
  t.same(combine({ override, geofeed, whois, delegation }), { ...override, registeredCountry: 'GB' });
  t.same(combine({ geofeed, whois, delegation }), { ...geofeed, registeredCountry: 'GB' });
  t.same(combine({ whois, delegation }), { ...whois, registeredCountry: 'GB' });
  t.same(combine({ delegation }), {
    ...delegation,
    registeredCountry: 'GB',
  });
  t.end();
});

t.test('an override has what the operator states below it, if they agree', (t) => {
  const place: Claim = {
    country: 'CA',
    region: 'CA-BC',
    cityName: 'Victoria',
    latitude: 48,
    longitude: -123,
  };
  const stated: Claim = { ...place, basis: 'geofeed', statedBy: 'own/geofeeds/a.csv' };
  const ours: Claim = { country: 'CA', isp: 'Eastlink', basis: 'override' };
  t.same(combine({ override: ours, geofeed: stated }), { ...place, ...ours });
  t.same(combine({ override: { ...ours, country: 'US' }, geofeed: stated }), { ...ours, country: 'US' });
  t.same(combine({ override: { ...ours, lastLevel: 'region' }, geofeed: stated }), {
    ...ours,
    region: 'CA-BC',
    lastLevel: 'region',
  });
  for (const literal of [
    { ...ours, lastLevel: 'country' },
    { ...ours, cityName: 'Vancouver' },
    { ...ours, region: 'CA-ON' },
  ] as const)
    t.same(combine({ override: literal, geofeed: stated }), literal);
  t.same(combine({ override: { ...ours, coordinates: 'none' }, geofeed: stated }), {
    ...ours,
    region: 'CA-BC',
    cityName: 'Victoria',
    coordinates: 'none',
  });
  t.end();
});

t.test('an override without any place hides all layers but the country of registration', (t) => {
  const nowhere: Claim = { basis: 'override', lastLevel: 'none' };
  t.same(combine({ override: nowhere, geofeed, whois, delegation }), { ...nowhere, registeredCountry: 'GB' });
  t.end();
});

t.test('without statements of operators whois and delegation remain, for networks with a statement', (t) => {
  const without = (claims: Parameters<typeof combine>[0]): Claim | undefined =>
    combineUnstated(OWN_LAYERS.map((layer) => claims[layer]));
  const stated = { ...geofeed, statedBy: 'own/geofeeds/a.csv' };
  const region = { ...cloud, statedBy: 'cloud/ip-ranges.json' };
  t.same(without({ geofeed: stated, whois, delegation }), { ...whois, registeredCountry: 'GB' });
  t.same(
    without({ geofeed: stated, cloud: region, delegation }),
    combine({ delegation }),
    'no statement remains',
  );
  t.equal(without({ cloud: region }), undefined);
  t.same(
    without({
      'referenced-geofeed': stated,
      'unreferenced-geofeed': { country: 'CA', region: 'CA-BC' },
      delegation,
    }),
    combine({ delegation }),
    'a geofeed has statements and observations of one row that is partly in its blocks',
  );
  t.equal(without({ whois, delegation }), undefined, 'no operator states a place');
  t.equal(without({ override, geofeed: stated, whois }), undefined, 'our override decides');
  t.end();
});

t.test('whois gives the country of registration where there is no delegation', (t) => {
  t.same(combine({ geofeed, whois }), { ...geofeed, registeredCountry: 'US' });
  t.same(combine({ geofeed }), geofeed);
  t.end();
});

t.test('an operator that asks for no location keeps the country of registration', (t) => {
  const left = { basis: 'registration', registeredCountry: 'GB' };
  t.same(combine({ geofeed: NOT_LOCATED, whois, delegation }), left);
  t.equal(combine({ geofeed: NOT_LOCATED }), undefined);
  t.same(combine({ override, geofeed: NOT_LOCATED }), override, 'our override still wins');
  t.end();
});

t.test('anycast is added to any location, and is an answer alone', (t) => {
  const listed = { anycast: { anycast: 'listed' } } as const;
  const stated = { cloud: { basis: 'cloud', anycast: 'stated' } } as const;
  for (const [layers, anycast] of [
    [listed, 'listed'],
    [stated, 'stated'],
    [{ ...listed, ...stated }, 'stated'],
  ] as const) {
    t.same(combine({ ...layers, override }), { ...override, anycast });
    t.same(combine({ ...layers, geofeed }), { ...geofeed, anycast });
    t.same(combine({ ...layers, whois }), { ...whois, registeredCountry: 'US', anycast });
    t.same(combine({ ...layers, geofeed: NOT_LOCATED }), { basis: 'registration', anycast });
    t.same(combine(layers), { basis: 'registration', anycast });
  }
  t.end();
});

t.test('a list of anycast networks counts less than a place that a cloud or an exchange states', (t) => {
  const listed: Claim = { anycast: 'listed' };
  t.same(combine({ anycast: listed, cloud }), cloud);
  t.same(combine({ anycast: listed, exchange }), exchange);
  t.same(combine({ anycast: listed, cloud, geofeed }), geofeed);
  t.same(combine({ anycast: listed, cloud: { basis: 'cloud' } }), { basis: 'registration', ...listed });
  t.end();
});

t.test('an override without a location adds its ISP to the location of a weaker layer', (t) => {
  t.same(combine({ override: ispOnly, geofeed }), { ...geofeed, isp: 'Vodacom' });
  t.same(combine({ override: ispOnly }), ispOnly);
  t.same(combine({ override: ispOnly, geofeed: NOT_LOCATED, whois }), {
    ...ispOnly,
    registeredCountry: 'US',
  });
  t.end();
});

t.test('geofeeds win over clouds and exchanges, and these over whois and the delegation', (t) => {
  const all = { geofeed, cloud, exchange, whois, delegation };
  t.same(combine(all), { ...geofeed, registeredCountry: 'GB' });
  t.same(combine({ cloud, exchange, whois, delegation }), { ...cloud, registeredCountry: 'GB' });
  t.same(combine({ exchange, whois, delegation }), { ...exchange, registeredCountry: 'GB' });
  t.same(combine({ cloud: { basis: 'cloud' }, exchange }), exchange, 'a cloud that states no place');
  t.same(combine({ cloud: { basis: 'cloud' }, whois }), { ...whois, registeredCountry: 'US' });
  t.equal(combine({ cloud: { basis: 'cloud' } }), undefined);
  t.end();
});

t.test('in free space whois blocks are ignored; statements and delegations are not', (t) => {
  const free = FREE_SPACE;
  t.same(combine({ free }), FREE_SPACE);
  t.same(combine({ whois, free }), FREE_SPACE);
  t.same(combine({ override: ispOnly, whois, free }), { ...FREE_SPACE, isp: 'Vodacom' });
  t.same(combine({ whois, delegation, free }), { ...whois, registeredCountry: 'GB' });
  t.same(combine({ delegation, free }), { ...delegation, registeredCountry: 'GB' });
  for (const stated of [override, geofeed, cloud, exchange]) {
    t.same(combine({ [stated.basis!]: stated, whois, free }), stated);
  }
  t.equal(combine({ geofeed: NOT_LOCATED, whois, free }), undefined);
  t.end();
});

t.test('a geofeed that was found is below a listed one; its other rows are above whois blocks only', (t) => {
  const found: Claim = { country: 'SE', basis: 'geofeed' };
  const observed: Claim = { country: 'PL', cityName: 'Warsaw' };
  const layers = {
    'referenced-geofeed': found,
    'unreferenced-geofeed': observed,
    cloud,
    exchange,
    whois,
    delegation,
  };
  t.same(combine({ ...layers, geofeed }), { ...geofeed, registeredCountry: 'GB' });
  t.same(combine(layers), { ...found, registeredCountry: 'GB' });
  t.same(combine({ ...layers, 'referenced-geofeed': NOT_LOCATED }), {
    basis: 'registration',
    registeredCountry: 'GB',
  });
  t.same(combine({ 'unreferenced-geofeed': observed, exchange, whois }), {
    ...exchange,
    registeredCountry: 'US',
  });
  t.same(combine({ 'unreferenced-geofeed': observed, whois }), { ...observed, registeredCountry: 'US' });
  t.end();
});

import t from 'tap';
import { combineOwn, NOT_LOCATED } from './layers.js';
import type { Claim } from '../../input/claims/claim.js';

const override: Claim = { country: 'CA', cityName: 'Halifax', isp: 'Eastlink', basis: 'override' };
const ispOnly: Claim = { isp: 'Vodacom', basis: 'override' };
const geofeed: Claim = { country: 'CA', region: 'CA-BC', basis: 'geofeed' };
const whois: Claim = { country: 'US', basis: 'registration' };
const delegation: Claim = { country: 'GB', basis: 'registration' };

t.test('the location is that of the strongest layer with a location', (t) => {
  t.same(combineOwn([override, geofeed, whois, delegation]), { ...override, registeredCountry: 'GB' });
  t.same(combineOwn([undefined, geofeed, whois, delegation]), { ...geofeed, registeredCountry: 'GB' });
  t.same(combineOwn([undefined, undefined, whois, delegation]), { ...whois, registeredCountry: 'GB' });
  t.same(combineOwn([undefined, undefined, undefined, delegation]), {
    ...delegation,
    registeredCountry: 'GB',
  });
  t.end();
});

t.test('whois gives the country of registration where there is no delegation', (t) => {
  t.same(combineOwn([undefined, geofeed, whois, undefined]), { ...geofeed, registeredCountry: 'US' });
  t.same(combineOwn([undefined, geofeed, undefined, undefined]), geofeed);
  t.end();
});

t.test('an operator that asks for no location keeps the country of registration', (t) => {
  const left = { basis: 'registration', registeredCountry: 'GB' };
  t.same(combineOwn([undefined, NOT_LOCATED, whois, delegation]), left);
  t.equal(combineOwn([undefined, NOT_LOCATED, undefined, undefined]), undefined);
  t.same(combineOwn([override, NOT_LOCATED, undefined, undefined]), override, 'our override still wins');
  t.end();
});

t.test('an override without a location adds its ISP to the location of a weaker layer', (t) => {
  t.same(combineOwn([ispOnly, geofeed, undefined, undefined]), { ...geofeed, isp: 'Vodacom' });
  t.same(combineOwn([ispOnly, undefined, undefined, undefined]), ispOnly);
  t.same(combineOwn([ispOnly, NOT_LOCATED, whois, undefined]), { ...ispOnly, registeredCountry: 'US' });
  t.end();
});

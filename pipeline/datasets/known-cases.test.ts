import t from 'tap';
import type { FeedClaims } from '../evaluate/claim-lookup.js';
import { WORLD } from '../evaluate/testing/known-world.js';
import { resolveTruth } from '../evaluate/truth.js';
import type { Claim } from '../input/claims/claim.js';
import { formatPrefix, parsePrefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import { truthCases } from './known-cases.js';

/** The claims of own about 5.0.0.0/24, 5.0.1.0/24 and so on. The last network has no operator. */
const OWN: readonly Claim[] = [
  { country: 'FR', basis: 'registration', registeredCountry: 'FR' },
  { country: 'FR', basis: 'geofeed', statedBy: 'own/geofeeds/one.csv' },
  { country: 'FR', basis: 'override' },
  { country: 'FR', cityName: 'Lyon' },
  { country: 'FR', basis: 'registration' },
];

t.test('networks whose place comes from an override or an operator are no cases of a truth file', (t) => {
  const table = new PrefixTable();
  const rows = OWN.map((_, id) => {
    const prefix = parsePrefix(`5.0.${id}.0/24`)!;
    table.insert(prefix.address, prefix.length, id);
    return { prefix, line: id + 1, claim: { country: 'FR' } };
  });
  const { places } = resolveTruth(rows, WORLD);
  const own: FeedClaims = { feed: 'own', table: table.flatten(), claims: OWN };
  const operators = new Map(
    rows.slice(0, -1).map(({ prefix: { address, length } }) => [formatPrefix(address, length), 'one']),
  );
  const cases = truthCases(places, operators, { feeds: [own], gazetteer: WORLD });
  t.match(
    cases.map(({ operator, claims }) => [operator, claims.map(({ weight }) => weight.basis)]),
    [['one', ['registration']]],
  );
  t.equal(cases.length, 1);
  t.end();
});

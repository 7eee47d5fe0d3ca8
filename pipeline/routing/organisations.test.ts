import t from 'tap';
import type { PeeringNetwork } from '../registry/registries.js';
import type { ObservedAses } from '../registry/observed-ases.js';
import { FlatTable } from '../table/flat-table.js';
import { Organisations, type NetworkNames } from './organisations.js';

function organisations(
  networks: readonly PeeringNetwork[],
  observed: readonly ObservedAses[] = [],
): Organisations {
  const empty = { facilities: [], exchanges: [], exchangePrefixes: [], connections: [], routeServers: [] };
  return new Organisations({ observed, peeringDb: { networks, ...empty } });
}

/** The observed organisations of AS1, by publisher. */
function observedAs1(geolite2: string, ipinfo?: string): readonly ObservedAses[] {
  const table = FlatTable.empty();
  return [
    { observer: 'geolite2', table, ases: [{ asn: 1, organisation: geolite2 }] },
    { observer: 'ipinfo', table, ases: ipinfo === undefined ? [] : [{ asn: 1, organisation: ipinfo }] },
  ];
}

const KNOWN = organisations([
  { asn: 1, name: 'One Cable' },
  { asn: 2, name: 'Two Communications (AS2)' },
  { asn: 3, name: 'Three US - 3' },
  { asn: 4, name: 'Four AS5' },
  { asn: 5, name: 'AS5' },
  { asn: 6, name: '5' },
]);

t.test('the holder in the AS names is the organisation, PeeringDB\u2019s name only without one', (t) => {
  const names = (line: NetworkNames & { name: string }): NetworkNames => KNOWN.namesOf(1, line);
  t.strictSame(names({ name: 'ONE-AS', entity: 'One Holding Ltd' }), {
    name: 'ONE-AS',
    entity: 'One Holding Ltd',
  });
  t.strictSame(names({ name: 'ONE-AS' }), { name: 'ONE-AS', entity: 'One Cable' });
  t.strictSame(names({ name: 'ONE-AS', entity: '12 Main Street' }), { name: 'ONE-AS', entity: 'One Cable' });
  t.strictSame(names({ name: 'ONE-AS', entity: '# upstream' }), { name: 'ONE-AS', entity: 'One Cable' });
  t.strictSame(names({ name: 'ONE-AS', entity: 'ONE' }), { name: 'ONE-AS', entity: 'One Cable' });
  t.end();
});

t.test('a name without a handle is the name and the organisation', (t) => {
  const name = 'France Telecom - Orange';
  t.strictSame(KNOWN.namesOf(9, { name }), { name, entity: name });
  t.end();
});

t.test('an address is never a name', (t) => {
  t.strictSame(KNOWN.namesOf(9, { name: 'NINE-AS', entity: 'Gutenbergstrasse 8' }), { name: 'NINE-AS' });
  t.strictSame(KNOWN.namesOf(9, { name: 'Moscow, Russia' }), {});
  t.strictSame(KNOWN.namesOf(1, { name: 'Moscow, Russia' }), { name: 'One Cable', entity: 'One Cable' });
  t.end();
});

t.test('the organisation of an observed AS is better than a description in the AS names', (t) => {
  const PEERING = [{ asn: 1, name: 'One Cable' }];
  const entityOf = (observed: readonly ObservedAses[], entity?: string): string | undefined =>
    organisations(PEERING, observed).namesOf(1, { name: 'ONE-AS', ...(entity !== undefined && { entity }) })
      .entity;
  t.equal(entityOf(observedAs1('One Holding Ltd'), 'Network of One in Lodz'), 'One Holding Ltd');
  t.equal(
    entityOf(observedAs1('ONE-AS', 'One, Inc.')),
    'One, Inc.',
    'the next publisher if the first has a handle',
  );
  t.equal(entityOf(observedAs1('10 Collyer Quay'), 'One Ltd'), 'One Ltd', 'no address');
  t.equal(entityOf(observedAs1('ONE-AS One Ltd'), 'One Ltd'), 'One Ltd', 'no whole line');
  t.equal(entityOf(observedAs1('ONE-AS-2')), 'One Cable', 'PeeringDB before a handle');
  t.end();
});

t.test('without AS names, names come from observed ASes', (t) => {
  t.strictSame(organisations([], observedAs1('ONE-AS')).namesOf(1, undefined), { name: 'ONE-AS' });
  t.strictSame(organisations([], observedAs1('One Ltd')).namesOf(1, undefined), {
    name: 'One Ltd',
    entity: 'One Ltd',
  });
  t.strictSame(organisations([], observedAs1('ONE-NEW')).namesOf(1, { name: 'ONE-OLD' }), {
    name: 'ONE-OLD',
  });
  t.end();
});

t.test('a handle is an organisation only if it is another one', (t) => {
  t.strictSame(KNOWN.namesOf(9, { name: 'NINE-AS', entity: 'NINE' }), { name: 'NINE-AS', entity: 'NINE' });
  t.strictSame(KNOWN.namesOf(9, { name: 'NINE', entity: 'NINE' }), { name: 'NINE' });
  t.strictSame(KNOWN.namesOf(9, { name: 'NINE' }), { name: 'NINE' });
  t.strictSame(KNOWN.namesOf(9, undefined), {});
  t.strictSame(KNOWN.namesOf(1, undefined), { name: 'One Cable', entity: 'One Cable' });
  t.end();
});

t.test('a network\u2019s own AS number is cut off its name in PeeringDB', (t) => {
  const entityOf = (asn: number): string | undefined => KNOWN.namesOf(asn, { name: 'X' }).entity;
  t.equal(entityOf(2), 'Two Communications');
  t.equal(entityOf(3), 'Three US');
  t.equal(entityOf(4), 'Four AS5', 'another number stays');
  t.equal(entityOf(5), undefined, 'a number alone is no name');
  t.equal(entityOf(6), undefined);
  t.end();
});

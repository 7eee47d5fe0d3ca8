import t from 'tap';
import type { PeeringNetwork } from '../registry/registries.js';
import { Organisations, type NetworkNames } from './organisations.js';

function organisations(networks: readonly PeeringNetwork[]): Organisations {
  const empty = { facilities: [], exchanges: [], exchangePrefixes: [], connections: [], routeServers: [] };
  return new Organisations({ peeringDb: { networks, ...empty } });
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

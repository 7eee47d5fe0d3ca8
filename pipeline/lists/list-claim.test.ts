import t from 'tap';
import {
  LIST_CLAIM_FIELDS,
  LIST_CLAIM_SCHEMA,
  ListClaimTable,
  listClaimSchema,
  type ListClaim,
} from './list-claim.js';

/** A claim that says all there is to say. */
const FULL: Required<ListClaim> = {
  type: 'VPN',
  evidence: 'confirmed',
  provider: 'Mullvad',
  usageType: 'ISP/MOB',
  isp: 'Example, Inc.',
  domain: 'example.net',
  threats: ['SPAM', 'SCANNER'],
  fraudScore: 99,
  lastSeen: 20_687,
  cloud: 'Amazon AWS',
  service: 'EC2',
  region: 'eu-west-1',
  isHosting: true,
  isEdge: true,
  carrier: 'telecom',
  allow: ['*'],
  isOwn: true,
};

t.test('equal claims get one id, whatever the order of their fields; others get another', (t) => {
  const table = new ListClaimTable();
  t.equal(table.intern({ type: 'VPN', provider: 'Mullvad' }), 0);
  t.equal(table.intern({ provider: 'Mullvad', type: 'VPN' }), 0);
  t.equal(table.intern({ type: 'VPN' }), 1);
  t.equal(table.intern({}), 2);
  t.equal(table.intern({ fraudScore: 0 }), 3, '0 is a value');
  t.equal(table.intern({ isHosting: false }), 4, 'and so is no');
  t.equal(table.intern({ threats: [] }), 5);
  t.equal(table.intern({ threats: ['SPAM', 'SCANNER'] }), 6);
  t.equal(table.intern({ threats: ['SPAM,SCANNER'] }), 7);
  t.equal(table.intern({ isp: 'VPN' }), 8, 'the same text in another field');
  t.equal(table.claims.length, 9);
  t.end();
});

t.test('every field tells claims apart, and is known to the schemas', (t) => {
  t.same([...LIST_CLAIM_FIELDS].sort(), Object.keys(FULL).sort());
  t.same(Object.keys(LIST_CLAIM_SCHEMA.fields), LIST_CLAIM_FIELDS);
  const table = new ListClaimTable();
  table.intern(FULL);
  for (const field of LIST_CLAIM_FIELDS) {
    const rest = Object.fromEntries(Object.entries(FULL).filter(([name]) => name !== field));
    t.equal(table.intern(rest), table.claims.length - 1, field);
  }
  t.equal(table.claims.length, LIST_CLAIM_FIELDS.length + 1);
  t.same(listClaimSchema.parse(FULL), FULL);
  t.same(listClaimSchema.parse({}), {});
  t.end();
});

t.test('what is no claim does not pass for one', (t) => {
  const others = [
    { type: 7 },
    { evidence: 'rumour' },
    { threats: 'SPAM' },
    { lastSeen: 1.5 },
    { colour: 'red' },
    { type: undefined },
    null,
  ];
  for (const other of others) t.notOk(listClaimSchema.safeParse(other).success, JSON.stringify(other));
  t.end();
});

import t from 'tap';
import { z } from 'zod';
import { LIST_CLAIM_FORMAT, ListClaimTable, type ListClaim } from './list-claim.js';

/** A claim with every field. */
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

t.test('equal claims have one id for any order of fields, different claims have different ids', (t) => {
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

t.test('every field distinguishes claims and is in the schemas', (t) => {
  t.same([...LIST_CLAIM_FORMAT.fields].sort(), Object.keys(FULL).sort());
  t.same(Object.keys(LIST_CLAIM_FORMAT.mmdbSchema.fields), LIST_CLAIM_FORMAT.fields);
  const table = new ListClaimTable();
  table.intern(FULL);
  for (const field of LIST_CLAIM_FORMAT.fields) {
    const rest = Object.fromEntries(Object.entries(FULL).filter(([name]) => name !== field));
    t.equal(table.intern(rest), table.claims.length - 1, field);
  }
  t.equal(table.claims.length, LIST_CLAIM_FORMAT.fields.length + 1);
  t.same(LIST_CLAIM_FORMAT.parse(FULL), FULL);
  t.same(LIST_CLAIM_FORMAT.parse({}), {});
  t.end();
});

t.test('a record that is not a claim is refused', (t) => {
  const others = [
    { type: 7 },
    { evidence: 'rumour' },
    { threats: 'SPAM' },
    { lastSeen: 1.5 },
    { colour: 'red' },
    { type: undefined },
    null,
  ];
  for (const other of others) t.notOk(isParsed(other), JSON.stringify(other));
  t.end();
});

const VALUES: readonly unknown[] = [
  'VPN',
  '',
  'commercial',
  'confirmed',
  'scraped',
  ['SPAM', 'SCANNER'],
  [],
  [7],
  ['SPAM', undefined],
  [['SPAM']],
  0,
  99,
  -1,
  1.5,
  NaN,
  Infinity,
  2 ** 53,
  7n,
  true,
  false,
  undefined,
  null,
  {},
];

t.test('the quick check agrees with the schema on every kind of value in every field', (t) => {
  for (const field of [...LIST_CLAIM_FORMAT.fields, 'colour', 'constructor', '']) {
    for (const value of VALUES) {
      const record = { type: 'VPN', [field]: value };
      const success = isParsed(record);
      if (LIST_CLAIM_FORMAT.isClaim(record) !== success)
        t.equal(LIST_CLAIM_FORMAT.isClaim(record), success, `${field} ${String(value)}`);
    }
  }
  for (const other of ['VPN', 7, null, undefined, [], ['VPN']])
    t.notOk(LIST_CLAIM_FORMAT.isClaim(other), String(other));
  t.ok(LIST_CLAIM_FORMAT.isClaim({}));
  t.end();
});

t.test('valid records are returned unchanged, and the error for an invalid one names its place', (t) => {
  const records = [{ type: 'VPN' }, {}, { fraudScore: 0, lastSeen: 20_687 }];
  t.equal(LIST_CLAIM_FORMAT.parseAll(records), records);
  t.same(LIST_CLAIM_FORMAT.parseAll([]), []);
  t.throws(() => LIST_CLAIM_FORMAT.parseAll([...records, { evidence: 'rumour' }]), {
    name: 'ZodError',
    issues: [{ path: [3, 'evidence'] }],
  });
  t.throws(() => LIST_CLAIM_FORMAT.parseAll([{}, null]), { name: 'ZodError', issues: [{ path: [1] }] });
  t.end();
});

function isParsed(record: unknown): boolean {
  try {
    LIST_CLAIM_FORMAT.parse(record);
    return true;
  } catch (error) {
    if (error instanceof z.ZodError) return false;
    throw error;
  }
}

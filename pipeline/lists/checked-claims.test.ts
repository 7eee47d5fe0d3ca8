import t from 'tap';
import { checkedClaims, isListClaim } from './checked-claims.js';
import { LIST_CLAIM_FIELDS, listClaimSchema } from './list-claim.js';

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
  for (const field of [...LIST_CLAIM_FIELDS, 'colour', 'constructor', '']) {
    for (const value of VALUES) {
      const record = { type: 'VPN', [field]: value };
      const { success } = listClaimSchema.safeParse(record);
      if (isListClaim(record) !== success) t.equal(isListClaim(record), success, `${field} ${String(value)}`);
    }
  }
  for (const other of ['VPN', 7, null, undefined, [], ['VPN']]) t.notOk(isListClaim(other), String(other));
  t.ok(isListClaim({}));
  t.end();
});

t.test('records are handed on as they are, and of an odd one it is told where it is', (t) => {
  const records = [{ type: 'VPN' }, {}, { fraudScore: 0, lastSeen: 20_687 }];
  t.equal(checkedClaims(records), records);
  t.same(checkedClaims([]), []);
  t.throws(() => checkedClaims([...records, { evidence: 'rumour' }]), {
    name: 'ZodError',
    issues: [{ path: [3, 'evidence'] }],
  });
  t.throws(() => checkedClaims([{}, null]), { name: 'ZodError', issues: [{ path: [1] }] });
  t.end();
});

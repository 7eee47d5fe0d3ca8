import t from 'tap';
import { newLedgerForTest } from '../testing/ledger.js';
import { addCredits, createKey, listKeys, revokeKey, rotateKey, setPlan } from './key-commands.js';

t.test('every key command prints its result in plain words', async (t) => {
  const { ledger } = await newLedgerForTest(t);
  const { accounts } = ledger;
  t.equal((await listKeys(accounts)).text, 'no accounts');
  const { key, text } = await createKey(accounts, { email: 'a@example.com', plan: 'pro', nickname: 'Ann' });
  t.equal(
    text,
    `${key}\nkey of a@example.com (Ann), plan Pro: 600 requests per minute, 100000 per day, 50000 credits per month; store it now, it is not shown again`,
  );
  const list = await listKeys(accounts);
  t.match(
    list.text,
    /^1 {2}a@example.com \(Ann\) {2}Pro {2}50000 credits left\n {4}ipa_.{6}… {2}since \d{4}-\d\d-\d\d$/,
  );
  t.notMatch(JSON.stringify(list), key, 'a list shows no key');
  const rotated = await rotateKey(accounts, key);
  t.match(rotated.value, { key: rotated.key, account: { email: 'a@example.com' } });
  t.match(
    (await setPlan(accounts, 'a@example.com', 'enterprise')).text,
    /is now on plan Enterprise: 3000 requests per minute, 500000/,
  );
  t.equal(
    (await addCredits(accounts, 'a@example.com', '-100')).text,
    'a@example.com has 499900 credits left this month',
  );
  t.equal((await revokeKey(accounts, rotated.key)).text, 'revoked a key of a@example.com (Ann)');
  await t.rejects(
    setPlan(accounts, 'a@example.com', 'gold'),
    /invalid plan "gold": expected free, pro, enterprise/,
  );
  for (const amount of ['', 'ten', '1.5', '1e3'])
    await t.rejects(addCredits(accounts, 'a@example.com', amount), /whole number/);
});

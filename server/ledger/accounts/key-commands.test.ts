import { Redis } from 'ioredis';
import t from 'tap';
import { newLedgerForTest } from '../testing/ledger.js';
import { KEYS_KEY } from './account-records.js';
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
    /^1 {2}a@example.com \(Ann\) {2}Pro {2}50000 credits left\n {4}ipa_.{6}… {2}since \d{4}-\d\d-\d\d {2}never used$/,
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

t.test('decision 71: a list shows the last use, the expiry and the networks of a key', async (t) => {
  let now = Date.parse('2026-11-22T12:00:00Z');
  const { ledger } = await newLedgerForTest(t, { now: () => now, timeZone: 'Asia/Shanghai' });
  const { accounts } = ledger;
  const terms = { expires: '2027-01-31', networks: '192.0.2.7/24,2001:DB8::/32' };
  const { key } = await createKey(accounts, { email: 'a@example.com', ...terms });
  const line = async () => (await listKeys(accounts)).text.split('\n')[1]!;
  t.match(await line(), /  never used  expires 2027-01-31 16:00 UTC  from 192\.0\.2\.0\/24, 2001:db8::\/32$/);
  await accounts.authenticate(key, '192.0.2.1');
  t.match(await line(), /  last used \d{4}-\d\d-\d\d \d\d:\d\d UTC  expires /);
  const second = await rotateKey(accounts, `${key.slice(0, 10)}…`);
  t.match(
    await line(),
    /  never used  expires 2027-01-31 16:00 UTC  from 192\.0\.2\.0\/24/,
    'the terms stay',
  );
  const third = await rotateKey(accounts, second.key, { expires: '10', networks: 'any' });
  t.match(await line(), /  never used  expires 2026-12-02 12:00 UTC$/);
  now = Date.parse('2026-12-02T12:00:00Z');
  await t.rejects(rotateKey(accounts, third.key), /expired at 2026-12-02T12:00:00.000Z: give a new expiry/);
  const last = await rotateKey(accounts, third.key, { expires: 'never' });
  t.match(await line(), /  never used$/);
  t.equal(
    (await revokeKey(accounts, `${last.key.slice(0, 10)}...`)).text,
    'revoked a key of a@example.com (a)',
  );
});

t.test('decision 71: invalid terms are refused before anything is created', async (t) => {
  const { ledger } = await newLedgerForTest(t, { now: () => Date.parse('2026-11-22T12:00:00Z') });
  const { accounts } = ledger;
  for (const expires of [
    '',
    '0',
    '2026-11-21',
    '2026-02-30',
    '2026-13-01',
    '3651',
    '99999',
    '9999-01-01',
    'tomorrow',
    '1.5',
  ])
    await t.rejects(
      createKey(accounts, { email: 'a@example.com', expires }),
      /invalid expiry ".*": expected a last day/,
    );
  for (const networks of ['', '192.0.2.0/33', '192.0.2.1,', 'example.com', '10.0.0.0/8 10.1.0.0/16', '127.1'])
    await t.rejects(createKey(accounts, { email: 'a@example.com', networks }), /invalid network/);
  const many = Array.from({ length: 101 }, (_, i) => `192.0.2.${i}`).join();
  await t.rejects(
    createKey(accounts, { email: 'a@example.com', networks: many }),
    /101 networks: expected at most 100/,
  );
  t.equal((await listKeys(accounts)).text, 'no accounts');
  await createKey(accounts, { email: 'a@example.com', expires: '2026-11-22' });
  await createKey(accounts, { email: 'b@example.com', expires: '3650' });
});

t.test(
  'decision 71: the last allowed terms are 3,650 days and 100 networks, and a past end is refused',
  async (t) => {
    let now = Date.parse('2026-11-22T12:00:00Z');
    const { ledger } = await newLedgerForTest(t, { now: () => now });
    const { accounts } = ledger;
    const create = (terms: { expires?: string; networks?: string }) =>
      createKey(accounts, { email: 'a@example.com', ...terms });
    await create({ networks: Array.from({ length: 100 }, (_, i) => `192.0.2.${i}`).join() });
    await create({ expires: '3650' });
    await t.rejects(create({ expires: '3651' }), /invalid expiry "3651"/);
    now = Date.parse('2026-11-22T23:59:59.999Z');
    await create({ expires: '2026-11-22' });
    now++;
    await t.rejects(create({ expires: '2026-11-22' }), /invalid expiry "2026-11-22"/);
  },
);

t.test('a prefix of several keys is refused by name', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  const { key } = await createKey(ledger.accounts, { email: 'a@example.com' });
  const [record] = await redis.hvals(KEYS_KEY);
  await redis.hset(KEYS_KEY, 'another hash', record!);
  const prefix = key.slice(0, 10);
  await t.rejects(revokeKey(ledger.accounts, prefix), {
    message: `2 keys begin with ${prefix}: give the full key`,
  });
  t.equal((await revokeKey(ledger.accounts, key)).text, 'revoked a key of a@example.com (a)');
});

import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import t from 'tap';
import { accountKey, creditsKey } from '../redis-keys.js';
import { newLedgerForTest, openForTest, subjectOf, untilSeen } from '../testing/ledger.js';
import { AccountError } from './account.js';
import { hashOfKey, isApiKey, newApiKey, prefixOfKey } from './api-key.js';

t.test('the checksum of a key finds every typing error in one character', (t) => {
  const key = newApiKey();
  t.match(key, /^ipa_[0-9A-Za-z]{38}$/);
  t.ok(isApiKey(key));
  for (let i = 0; i < key.length; i++) {
    const typo = key.slice(0, i) + (key[i] === 'x' ? 'y' : 'x') + key.slice(i + 1);
    t.notOk(isApiKey(typo), `position ${i}`);
  }
  for (const text of ['', 'ipa_', key.slice(1), `${key} `, key.slice(0, -1), `${key}0`])
    t.notOk(isApiKey(text), text);
  t.equal(new Set(Array.from({ length: 100 }, newApiKey)).size, 100);
  t.end();
});

t.test('a key belongs to its account, is stored only as a hash, and is invalid once revoked', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const { accounts } = ledger;
  const { key, account } = await accounts.createKey({ email: ' Ann@Example.com ', plan: 'pro' });
  t.match(account, { id: 1, email: 'ann@example.com', nickname: 'Ann'.toLowerCase(), plan: 'pro' });
  t.same(await accounts.authenticate(key), { kind: 'account', account });
  t.same(await untilSeen(ledger, key), { kind: 'account', account }, 'the second time at once');
  const unknown = newApiKey();
  t.same(await accounts.authenticate(unknown), { kind: 'invalid' });
  t.same(await untilSeen(ledger, unknown), { kind: 'invalid' }, 'at once as well');
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  const kept = JSON.stringify(await redis.hgetall('ipatlas:keys'));
  t.notMatch(kept, key);
  t.match(kept, hashOfKey(key));
  t.same(await accounts.revokeKey(prefixOfKey(key)), account);
  t.same(await accounts.authenticate(key), { kind: 'invalid' });
  await t.rejects(accounts.revokeKey(key), AccountError);
});

t.test('an account may have several keys; an e-mail address has one account', async (t) => {
  const { ledger } = await newLedgerForTest(t);
  const { accounts } = ledger;
  const made = await Promise.all(
    Array.from({ length: 10 }, () => accounts.createKey({ email: 'a@example.com' })),
  );
  t.equal(new Set(made.map(({ account }) => account.id)).size, 1);
  t.equal(new Set(made.map(({ key }) => key)).size, 10);
  await accounts.createKey({ email: 'b@example.com', nickname: 'Bea', plan: 'enterprise' });
  const [first, second] = await accounts.list();
  t.equal(first!.keys.length, 10);
  t.match(second, { nickname: 'Bea', creditsLeft: 500_000, keys: [{ prefix: /^ipa_.{6}$/ }] });
  await t.rejects(
    accounts.createKey({ email: 'b@example.com', plan: 'free' }),
    /already has an account with plan enterprise/,
  );
  await t.rejects(
    accounts.createKey({ email: 'b@example.com', nickname: 'Ben' }),
    new AccountError('b@example.com already has an account with nickname Bea'),
  );
  for (const email of ['', 'nobody', '@example.com', 'a@', 'a b@example.com', 'a@b@c'])
    await t.rejects(accounts.createKey({ email }), /invalid e-mail address/);
});

t.test('an e-mail address has at most 254 characters', async (t) => {
  const { ledger } = await newLedgerForTest(t);
  const email = `${'a'.repeat(242)}@example.com`;
  t.equal((await ledger.accounts.createKey({ email })).account.email, email);
  await t.rejects(ledger.accounts.createKey({ email: `a${email}` }), /at most 254 characters/);
});

t.test('a rotated key is invalid at once, in other processes too', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const other = await openForTest(t, url);
  const { key } = await ledger.accounts.createKey({ email: 'a@example.com' });
  while ((await other.accounts.authenticate(key)).kind !== 'account');
  const { key: next } = await ledger.accounts.rotateKey(key);
  t.match(await ledger.accounts.authenticate(key), { kind: 'invalid' });
  while ((await other.accounts.authenticate(key)).kind === 'account') await sleep(5);
  t.match(await other.accounts.authenticate(key), { kind: 'invalid' });
  t.match(await other.accounts.authenticate(next), { kind: 'account' });
  await t.rejects(ledger.accounts.rotateKey(key), /unknown key/);
});

t.test(
  'decision 4: a change of plan changes the credits by the difference; added credits expire with the month',
  async (t) => {
    let now = Date.parse('2026-11-21T12:00:00Z');
    const { ledger, url } = await newLedgerForTest(t, { now: () => now });
    const { accounts, meter } = ledger;
    const { key, account } = await accounts.createKey({ email: 'a@example.com' });
    const left = async (): Promise<number> => (await accounts.list())[0]!.creditsLeft;
    t.equal(await left(), 1000);
    await meter.charge(subjectOf(account.id), { credits: 400 });
    t.match(await accounts.setPlan('a@example.com', 'pro'), { plan: 'pro' });
    t.equal(await left(), 49_600);
    t.match(await accounts.authenticate(key), { account: { plan: 'pro' } });
    t.equal(await accounts.addCredits('A@example.com', 400), 50_000);
    await meter.charge(subjectOf(account.id), { credits: 20_000 });
    await accounts.setPlan('a@example.com', 'free');
    t.equal(await left(), 0, 'never below zero');
    now = Date.parse('2026-12-01T00:00:00Z');
    t.equal(await left(), 1000, 'no rollover');
    await accounts.setPlan('a@example.com', 'enterprise');
    const redis = new Redis(url);
    t.teardown(() => {
      redis.disconnect();
    });
    t.equal(await redis.get(creditsKey(account.id, '202612')), '500000');
    await t.rejects(accounts.setPlan('b@example.com', 'pro'), /unknown account b@example.com/);
    await t.rejects(accounts.addCredits('a@example.com', 1.5), AccountError);
  },
);

t.test('an account whose record is missing is not listed', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const { accounts } = ledger;
  const { account } = await accounts.createKey({ email: 'gone@example.com' });
  await accounts.createKey({ email: 'here@example.com' });
  const redis = new Redis(url);
  t.teardown(() => {
    redis.disconnect();
  });
  t.equal(await redis.del(accountKey(account.id)), 1);
  t.match(await accounts.list(), [{ email: 'here@example.com' }]);
  t.equal((await accounts.list()).length, 1);
});

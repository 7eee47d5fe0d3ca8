import t from 'tap';
import { ipatlas, outputFolder } from '../../pipeline/commands/testing/command-line.js';
import { newLedgerForTest } from '../metering/testing/ledger.js';
import { addCredits, createKey, listKeys, revokeKey, rotateKey, setPlan } from './key-commands.js';

t.test('every key command says in plain words what it did', async (t) => {
  const { ledger } = await newLedgerForTest(t);
  const { accounts } = ledger;
  t.equal((await listKeys(accounts)).text, 'no accounts');
  const { key, text } = await createKey(accounts, { email: 'a@example.com', plan: 'pro', nickname: 'Ann' });
  t.equal(
    text,
    `${key}\nof a@example.com (Ann), plan Pro: 600 requests a minute, 100000 a day, 50000 credits a month; it is not shown again`,
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
    /has plan Enterprise: 3000 requests a minute, 500000/,
  );
  t.equal(
    (await addCredits(accounts, 'a@example.com', '-100')).text,
    'a@example.com has 499900 credits left this month',
  );
  t.equal((await revokeKey(accounts, rotated.key)).text, 'revoked a key of a@example.com (Ann)');
  await t.rejects(
    setPlan(accounts, 'a@example.com', 'gold'),
    /"gold" is no plan: there are free, pro, enterprise/,
  );
  for (const amount of ['', 'ten', '1.5', '1e3'])
    await t.rejects(addCredits(accounts, 'a@example.com', amount), /whole number/);
});

t.test('ipatlas key: --quiet prints the key alone, and accounts outlive the private Redis', async (t) => {
  const OUTPUT = outputFolder(t);
  const made = await ipatlas(
    t,
    { OUTPUT },
    'key',
    'create',
    '--plan',
    'pro',
    '--email',
    'a@example.com',
    '--quiet',
  );
  t.match(made, { code: 0, stderr: '', stdout: /^ipa_\w{38}\n$/ });
  const list = await ipatlas(t, { OUTPUT }, '--json', 'key', 'list');
  t.match(JSON.parse(list.stdout), [{ email: 'a@example.com', plan: 'pro', creditsLeft: 50_000 }]);
  t.match(await ipatlas(t, { OUTPUT }, 'key', 'plan', 'b@example.com', 'pro'), {
    code: 64,
    stdout: '',
    stderr: 'ipatlas: there is no account of b@example.com\n',
  });
});

import t from 'tap';
import { newRedisForTest } from '../testing/redis-server.js';
import { ipatlas, outputFolder } from './testing/command-line.js';
import { runInProcess } from './testing/in-process.js';

t.test('creates, lists, rotates and revokes a key; --quiet prints the key only', async (t) => {
  const { url: REDIS_URL } = await newRedisForTest(t);
  const run = (...args: string[]) => ipatlas(t, { REDIS_URL }, 'key', ...args);
  const made = await run('create', '--plan', 'pro', '--email', 'a@example.com', '--quiet');
  t.equal(made.code, 0);
  t.equal(made.stderr, '');
  t.match(made.stdout, /^ipa_\w{38}\n$/);
  const key = made.stdout.trim();
  const rotated = await run('rotate', key);
  t.match(rotated.stdout, /^ipa_\w{38}\nkey of a@example.com \(a\), plan Pro: 600 requests per minute/);
  const listed = await run('list', '--json');
  const [account] = JSON.parse(listed.stdout) as { keys: { prefix: string }[] }[];
  t.match(account, { email: 'a@example.com', plan: 'pro', creditsLeft: 50_000 });
  t.same(
    account?.keys.map(({ prefix }) => prefix),
    [rotated.stdout.slice(0, 10)],
  );
  t.equal((await run('revoke', rotated.stdout.slice(0, 10))).code, 0);
  t.match((await run('credits', 'a@example.com', '5')).stdout, /50005/);
});

t.test('- reads the key from standard input', async (t) => {
  const { url: REDIS_URL } = await newRedisForTest(t);
  const key = (...args: string[]) => ipatlas(t, { REDIS_URL }, 'key', ...args);
  const typed = (text: string, ...args: string[]) => runInProcess({ REDIS_URL }, ['key', ...args], text);
  const made = await key('create', '--email', 'a@example.com', '--quiet', '--networks', '192.0.2.0/24');
  const rotated = await typed(made.stdout, 'rotate', '-', '--quiet', '--expires', '30');
  t.match(rotated, { code: 0, stderr: '', stdout: /^ipa_\w{38}\n$/ });
  t.match((await key('list')).stdout, /expires \d{4}-\d\d-\d\d \d\d:\d\d UTC {2}from 192\.0\.2\.0\/24\n$/);
  t.match(await typed(`\n  ${rotated.stdout.trim()}\r\nmore\n`, 'revoke', '-'), {
    code: 0,
    stdout: 'revoked a key of a@example.com (a)\n',
  });
  for (const text of ['', '\n \n', 'x'.repeat(2000)])
    t.match(await typed(text, 'revoke', '-'), {
      code: 64,
      stderr: 'ipatlas: no key on standard input: expected one line with an API key\n',
    });
  t.match(await typed(made.stdout, 'revoke', '-'), { code: 64, stderr: /^ipatlas: unknown key ipa_.{6}\n$/ });
});

t.test('invalid requests are one line and code 64; an unreachable Redis is code 1', async (t) => {
  const { url: REDIS_URL } = await newRedisForTest(t);
  const bad: [string[], RegExp, Record<string, string>?][] = [
    [
      ['create', '--plan', 'gold', '--email', 'a@example.com'],
      /invalid plan "gold": expected free, pro, enterprise/,
    ],
    [['create', '--email', 'nonsense'], /invalid e-mail address "nonsense"/],
    [['revoke', 'ipa_nothere'], /unknown key/],
    [['list'], /invalid SERVER_TZ "Mars\/X": expected an IANA time zone/, { SERVER_TZ: 'Mars/X' }],
    [['list'], /invalid REDIS_URL: expected /, { REDIS_URL: 'http://user:password@127.0.0.1' }],
  ];
  for (const [args, message, more] of bad) {
    const { code, stdout, stderr } = await ipatlas(t, { REDIS_URL, ...more }, 'key', ...args);
    t.same([code, stdout], [64, '']);
    t.match(stderr, message);
    t.match(stderr, /^ipatlas: [^\n]*\n$/);
    t.notMatch(stderr, 'password');
  }
  const gone = await ipatlas(t, { REDIS_URL: 'redis://:password@127.0.0.1:1' }, 'key', 'list');
  t.equal(gone.code, 1);
  t.equal(
    gone.stderr,
    'ipatlas: Redis does not answer at redis://127.0.0.1:1: start it, or set REDIS_URL or REDIS_URLS\n',
  );
});

t.test('accounts survive the stop of the private Redis', async (t) => {
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
    stderr: 'ipatlas: unknown account b@example.com\n',
  });
});

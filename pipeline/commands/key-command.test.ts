import t from 'tap';
import { newRedisForTest } from '../jobs/testing/redis-server.js';
import { ipatlas } from './testing/command-line.js';

t.test('a key is made, listed, replaced and revoked; --quiet prints it alone', async (t) => {
  const { url: REDIS_URL } = await newRedisForTest(t);
  const run = (...args: string[]) => ipatlas(t, { REDIS_URL }, 'key', ...args);
  const made = await run('create', '--plan', 'pro', '--email', 'a@example.com', '--quiet');
  t.equal(made.code, 0);
  t.equal(made.stderr, '');
  t.match(made.stdout, /^ipa_\w{38}\n$/);
  const key = made.stdout.trim();
  const rotated = await run('rotate', key);
  t.match(rotated.stdout, /^ipa_\w{38}\nof a@example.com \(a\), plan Pro: 600 requests a minute/);
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

t.test('what cannot be done is one line and code 64; a Redis that is not there is code 1', async (t) => {
  const { url: REDIS_URL } = await newRedisForTest(t);
  const bad: [string[], RegExp, Record<string, string>?][] = [
    [
      ['create', '--plan', 'gold', '--email', 'a@example.com'],
      /"gold" is no plan: there are free, pro, enterprise/,
    ],
    [['create', '--email', 'nonsense'], /"nonsense" is no e-mail address/],
    [['revoke', 'ipa_nothere'], /there is no key/],
    [['list'], /SERVER_TZ "Mars\/X" makes no sense: IANA time zone/, { SERVER_TZ: 'Mars/X' }],
    [['list'], /REDIS_URL makes no sense: /, { REDIS_URL: 'http://user:password@127.0.0.1' }],
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
  t.equal(gone.stderr, 'ipatlas: no Redis answers at redis://127.0.0.1:1: start it, or set REDIS_URL\n');
});

import t from 'tap';
import { newRedisForTest } from '../testing/redis-server.js';
import { ipatlas } from './testing/command-line.js';

const PLACE = ['--name', '法兰克福', '--country', '德国', '--country-code', 'de', '--city', 'Frankfurt'];

t.test(
  'a node is registered, listed, given another token and removed; --quiet prints only the token',
  async (t) => {
    const { url: REDIS_URL } = await newRedisForTest(t);
    const run = (...args: string[]) => ipatlas(t, { REDIS_URL }, 'node', ...args);
    const made = await run('add', '--code', 'fra-1', ...PLACE, '--quiet');
    t.same([made.code, made.stderr], [0, '']);
    t.match(made.stdout, /^ipn_\w{38}\n$/);
    const rotated = await run('rotate', 'fra-1');
    t.match(rotated.stdout, /^ipn_\w{38}\nfor fra-1 \(DE, Frankfurt\); it is not shown again\n$/);
    t.not(rotated.stdout.slice(0, 42), made.stdout.trim());
    const listed = JSON.parse((await run('list', '--json')).stdout) as unknown;
    t.match(listed, [{ id: 1, code: 'fra-1', name_en: '法兰克福', online: false, last_seen: null }]);
    t.notMatch(JSON.stringify(listed), 'ipn_');
    t.match((await run('list')).stdout, /^1 {2}fra-1 .*never online\n$/);
    t.match((await run('remove', '1')).stdout, /^removed fra-1/);
    t.equal((await run('list')).stdout, 'no nodes\n');
  },
);

t.test('invalid requests are one line and code 64', async (t) => {
  const { url: REDIS_URL } = await newRedisForTest(t);
  const run = (...args: string[]) => ipatlas(t, { REDIS_URL }, ...args);
  await run('node', 'add', '--code', 'taken', ...PLACE);
  const bad: [string[], RegExp][] = [
    [['node', 'add', '--code', 'taken', ...PLACE], /node taken already exists/],
    [['node', 'add', '--code', 'Two Words', ...PLACE], /invalid code "Two Words"/],
    [
      ['node', 'add', '--code', 'fra-2', ...PLACE, '--country-code', 'deu'],
      /invalid country code "deu": expected ISO 3166-1 alpha-2/i,
    ],
    [['node', 'remove', 'unknown'], /node unknown does not exist/],
    [['probe-agent', '--server', 'wss://example.com', '--token', 'x'], /invalid token/],
  ];
  for (const [args, message] of bad) {
    const { code, stdout, stderr } = await run(...args);
    t.same([code, stdout], [64, '']);
    t.match(stderr, message);
    t.match(stderr, /^ipatlas: [^\n]*\n$/);
  }
});

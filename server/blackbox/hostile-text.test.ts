import { join } from 'node:path';
import t from 'tap';
import { shortDir } from '../../pipeline/testing/child-process.js';
import { ipatlas } from '../../pipeline/testing/command-line.js';
import { newRedisForTest } from '../../pipeline/testing/redis-server.js';
import { describeFindings } from '../doctor/describe-findings.js';
import { publishSmallRelease } from '../testing/small-release.js';

/** Clears the screen, turns the direction of text, and begins a line of its own. */
const HOSTILE = 'x\u001b[2J\u009b2J\u202e\u2028\u200b\rFORGED';
const ESCAPED = '\\x1b[2J\\x9b2J\\u{202e}\\u{2028}\\u{200b}\\x0dFORGED';
const UNSAFE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

t.test('inspect escapes the names of a release: places, ISPs, ASes, exchanges', async (t) => {
  const OUTPUT = shortDir(t);
  await publishSmallRelease(OUTPUT, { marker: `${HOSTILE}\nFORGED` });
  for (const target of ['8.8.8.8', '8.8.8.0/24', 'AS15169']) {
    const { code, stdout } = await ipatlas(t, { OUTPUT }, 'inspect', target);
    t.equal(code, 0);
    t.ok(stdout.includes(`${ESCAPED}\\x0aFORGED`), `${target}: the names are shown`);
    t.notMatch(stdout, UNSAFE, target);
    t.notMatch(stdout, /^FORGED/m, target);
    const json = await ipatlas(t, { OUTPUT }, '--json', 'inspect', target);
    t.notMatch(json.stdout, UNSAFE, target);
    t.match(JSON.stringify(JSON.parse(json.stdout)), 'FORGED\\nFORGED');
  }
  const verified = await ipatlas(t, { OUTPUT }, 'verify', join(OUTPUT, 'current/geo.mmdb'));
  t.notMatch(verified.stdout, UNSAFE);
});

t.test('the lists of keys and of nodes escape names', async (t) => {
  const { url: REDIS_URL } = await newRedisForTest(t);
  const run = (...args: string[]) => ipatlas(t, { REDIS_URL }, ...args);
  const nickname = `${HOSTILE}\nFORGED`;
  const made = await run('key', 'create', '--email', 'a@example.com', '--nickname', nickname);
  const listed = await run('key', 'list');
  const refused = await run('key', 'create', '--email', `${HOSTILE}@\nFORGED`);
  const place = ['--name', '\u202ex', '--country', '\u2066y', '--country-code', 'de'];
  const added = await run('node', 'add', '--code', 'fra-1', ...place);
  const nodes = await run('node', 'list');
  for (const { stdout, stderr } of [made, listed, refused, added, nodes]) {
    t.notMatch(stdout + stderr, UNSAFE);
    t.notMatch(stdout + stderr, /^FORGED/m);
  }
  t.match(refused.stderr, '\\x1b[2J');
});

t.test('the doctor escapes what servers answered', (t) => {
  const finding = {
    group: 'RDAP',
    name: HOSTILE,
    state: 'broken',
    detail: `${HOSTILE}\nFORGED`,
    ms: 1,
  } as const;
  const report = describeFindings([finding]);
  t.match(report, ESCAPED);
  t.notMatch(report, UNSAFE);
  t.notMatch(report, /^FORGED/m);
  t.end();
});

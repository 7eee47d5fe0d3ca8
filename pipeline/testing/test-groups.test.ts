import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { groupsOf } from './test-groups.js';

const DIST = fileURLToPath(new URL('../..', import.meta.url));
const TEST_FILES = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.test.js'));

t.test('every test file is in exactly one group', (t) => {
  const grouped = groupsOf(TEST_FILES).flatMap(({ files }) => files);
  t.ok(TEST_FILES.length > 100);
  t.same([...grouped].sort(), [...TEST_FILES].sort());
  t.end();
});

t.test('groups have names of their own; the slowest folder comes first', (t) => {
  const names = groupsOf(TEST_FILES).map(({ name }) => name);
  t.equal(new Set(names).size, names.length);
  t.equal(names[0], 'pipeline-cli-1');
  t.end();
});

t.test('the slowest folders have groups of their own, the others share', (t) => {
  const [first, second, ...others] = groupsOf([
    'a/b/x.test.js',
    'a/c/y.test.js',
    'server/blackbox/z.test.js',
  ]);
  t.same(first, { name: 'server-blackbox', files: ['server/blackbox/z.test.js'] });
  t.same(second, { name: 'a', files: ['a/b/x.test.js', 'a/c/y.test.js'] });
  t.same(others, []);
  t.end();
});

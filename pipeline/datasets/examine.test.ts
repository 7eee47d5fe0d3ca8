import t from 'tap';
import { joinExaminations, type Examination } from './examine.js';

const GOOD: Examination = {
  tree: { passed: true, found: '9 nodes reached' },
  schema: { passed: true, found: '3 records' },
  canaries: [],
};
const asked = (ip: string, passed: boolean) => ({ ip, passed, expected: 'US', found: passed ? 'US' : 'CN' });
const file = (name: string, examination: Partial<Examination> = {}) => ({
  file: { name },
  examination: { ...GOOD, ...examination },
});

t.test('if all files pass, all are listed', (t) => {
  t.same(joinExaminations([file('geo.mmdb'), file('sources/own.mmdb')]), {
    tree: { passed: true, found: 'geo.mmdb: 9 nodes reached; sources/own.mmdb: 9 nodes reached' },
    schema: { passed: true, found: 'geo.mmdb: 3 records; sources/own.mmdb: 3 records' },
    canaries: [],
  });
  t.end();
});

t.test('fails if one file of many is bad, and lists only the bad ones', (t) => {
  const broken = { passed: false, found: '2 problems' };
  const joined = joinExaminations([
    file('a.mmdb'),
    file('b.mmdb', { tree: broken }),
    file('c.mmdb', { tree: broken, schema: { passed: false, found: 'a misfit' } }),
  ]);
  t.same(joined.tree, { passed: false, found: 'b.mmdb: 2 problems; c.mmdb: 2 problems' });
  t.same(joined.schema, { passed: false, found: 'c.mmdb: a misfit' }, 'each check by itself');
  t.end();
});

t.test('canaries of all files are listed with the name of the file', (t) => {
  const { canaries } = joinExaminations([
    file('geo.mmdb', { canaries: [asked('8.8.8.8', true), asked('1.0.1.1', true)] }),
    file('sources/own.mmdb'),
    file('download/geo.mmdb', { canaries: [asked('8.8.8.8', false)] }),
  ]);
  t.same(
    canaries.map(({ ip, passed, found }) => [ip, passed, found]),
    [
      ['geo.mmdb 8.8.8.8', true, 'US'],
      ['geo.mmdb 1.0.1.1', true, 'US'],
      ['download/geo.mmdb 8.8.8.8', false, 'CN'],
    ],
  );
  t.end();
});

import t from 'tap';
import type { Finding } from './check.js';
import { describeFindings } from './describe-findings.js';

const finding = (name: string, detail: string, state: Finding['state'] = 'broken'): Finding => ({
  group: 'RDAP servers',
  name,
  detail,
  state,
  ms: 7,
});

t.test('six or more failures with the same reason share one line', (t) => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => finding(name, `${name} has no address`));
  const text = describeFindings([...many, finding('g', 'returned HTTP 200', 'ok')]);
  t.equal(
    text,
    [
      'RDAP servers',
      '  BROKEN  6 servers: has no address (a, b, c, …)',
      '  ok      g: returned HTTP 200 (7 ms)',
      '',
      '6 of 7 checks failed.',
    ].join('\n'),
  );
  t.match(
    describeFindings(many.slice(1)),
    /\n {2}BROKEN {2}b: b has no address \(7 ms\)\n/,
    'five get a line each',
  );
  t.end();
});

t.test('long details are truncated', (t) => {
  t.match(describeFindings([finding('a', 'x'.repeat(1000))]), /: x{159}… \(7 ms\)\n/);
  t.end();
});

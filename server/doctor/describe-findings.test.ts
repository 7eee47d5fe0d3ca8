import t from 'tap';
import type { Finding } from './check.js';
import { describeFindings } from './describe-findings.js';

const finding = (name: string, detail: string, state: Finding['state'] = 'broken'): Finding => ({
  ...{ group: 'RDAP servers', name, detail, state },
  ms: 7,
});

t.test('many that are broken alike are told in one line, whatever their names', (t) => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => finding(name, `${name} has no address`));
  const text = describeFindings([...many, finding('g', 'answers HTTP 200', 'ok')]);
  t.equal(
    text,
    [
      'RDAP servers',
      '  BROKEN  6 of them: has no address (a, b, c, …)',
      '  ok      g: answers HTTP 200 (7 ms)',
      '',
      '6 of 7 checks found something broken.',
    ].join('\n'),
  );
  t.match(
    describeFindings(many.slice(1)),
    /\n {2}BROKEN {2}b: b has no address \(7 ms\)\n/,
    'five are not many',
  );
  t.end();
});

t.test('details that go on and on are cut', (t) => {
  t.match(describeFindings([finding('a', 'x'.repeat(1000))]), /: x{159}… \(7 ms\)\n/);
  t.end();
});

import t from 'tap';
import { peopleLine } from './people-lines.js';

const line = (fields: object): string =>
  peopleLine(JSON.stringify({ level: 30, time: 0, ...fields })).slice(9);

t.test('lines on a terminal are plain text, not JSON', (t) => {
  t.equal(line({ msg: 'http://localhost:8080 serves' }), 'http://localhost:8080 serves');
  const answer = { method: 'GET', path: '/json', status: 200, code: 0, ms: 0.4, client: '192.0.2.1' };
  t.equal(line(answer), '200 GET /json 0.4 ms 192.0.2.1');
  t.equal(line({ ...answer, code: 404, account: 7 }), '200 (code 404) GET /json 0.4 ms 192.0.2.1 account 7');
  t.equal(line({ level: 40, msg: 'Redis is gone' }), 'warning: Redis is gone');
  t.equal(line({ level: 50, msg: 'failed', err: { message: 'm', stack: 'at' } }), 'error: failed at');
  t.end();
});

t.test('text from others cannot control the terminal or forge a line', (t) => {
  t.equal(line({ msg: 'a\u001b[2J\u009b2Jb\r\u0007\u202e' }), 'a\\x1b[2J\\x9b2Jb\\x0d\\x07\\u{202e}');
  t.equal(line({ msg: 'Ünï code' }), 'Ünï code');
  const forged = 'node fra-1 is leaving: bye\n20:06:54 200 GET /json 0.4 ms 192.0.2.1';
  t.equal(line({ msg: forged }), forged.replace('\n', '\\x0a'));
  const answer = { method: 'GET', path: '/a\u2028\u200b', status: 200, code: 0, ms: 1, client: '::1' };
  t.equal(line(answer), '200 GET /a\\u{2028}\\u{200b} 1 ms ::1');
  t.ok(line({ msg: 'x'.repeat(100_000) }).length < 5000);
  t.end();
});

t.test('a stack trace has indented lines, also those of its message', (t) => {
  const err = { message: 'm', stack: 'Error: m\n20:06:54 forged\u001b\n    at f (a.js:1)' };
  t.equal(
    line({ level: 50, msg: 'failed', err }),
    'error: failed Error: m\n    20:06:54 forged\\x1b\n    at f (a.js:1)',
  );
  t.equal(line({ level: 40, msg: 'w', err: { message: 'a\nb' } }), 'warning: w a\n    b');
  t.end();
});

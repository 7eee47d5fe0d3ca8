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

t.test('control characters are escaped', (t) => {
  t.equal(line({ msg: 'a\u001b[2J\u009b2Jb\r\u0007' }), 'a%1B[2J%C2%9B2Jb%0D%07');
  t.equal(line({ msg: 'Ünï\ncode' }), 'Ünï\ncode');
  t.end();
});

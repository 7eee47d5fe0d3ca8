import t from 'tap';
import { isAtLeast, parseAgentMessage, parseServerMessage } from './protocol.js';

t.test('invalid messages of an agent or a server are undefined', (t) => {
  const agent = { type: 'result', id: 'a', ip: '192.0.2.1', rtts: [1, null, 2.5, 0] };
  t.same(parseAgentMessage(JSON.stringify(agent)), agent);
  const wrongs = [
    '',
    'null',
    '[]',
    '{"type":"x"}',
    '{"__proto__":{"type":"ready"}}',
    '\u0000',
    '{'.repeat(9000),
  ];
  const more = [
    { ...agent, rtts: [1, 2, 3] },
    { ...agent, rtts: [1, 2, 3, -1] },
    { ...agent, rtts: [1, 2, 3, '4'] },
    { ...agent, id: '' },
    { ...agent, id: 'x'.repeat(65) },
    { ...agent, ip: 'x'.repeat(65) },
    { type: 'refused', id: 'a', reason: 'tired' },
    { type: 'pong', count: 1.5 },
    { type: 'hello', protocol: 1, version: 'latest', capabilities: { ipv6: true } },
    { type: 'hello', protocol: 1, version: '1.0.0', capabilities: {} },
  ];
  for (const text of [...wrongs, ...more.map((message) => JSON.stringify(message))])
    t.equal(parseAgentMessage(text), undefined, text.slice(0, 80));
  const job = { type: 'job', id: 'a', host: 'example.com', port: 443, leftMs: 1 };
  t.same(parseServerMessage(JSON.stringify(job)), job);
  for (const wrong of [{ port: 0 }, { port: 65_536 }, { host: '' }, { leftMs: 0 }])
    t.equal(parseServerMessage(JSON.stringify({ ...job, ...wrong })), undefined);
  t.end();
});

t.test('fields beyond the protocol are dropped, so a node cannot claim a location', (t) => {
  const hello = { type: 'hello', protocol: 1, version: '1.0.0', capabilities: { ipv6: false } };
  t.same(parseAgentMessage(JSON.stringify({ ...hello, country: 'DE', code: 'other' })), hello);
  t.end();
});

t.test('versions are compared numerically', (t) => {
  for (const version of ['1.9.0', '1.9.1', '1.10.0', '2.0.0']) t.ok(isAtLeast(version, '1.9.0'), version);
  for (const version of ['1.8.9', '0.10.0', '1.0.99']) t.notOk(isAtLeast(version, '1.9.0'), version);
  t.end();
});

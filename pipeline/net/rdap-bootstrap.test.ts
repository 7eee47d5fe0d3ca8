import { readFileSync } from 'node:fs';
import t from 'tap';
import { parseRdapBootstrap, RdapBootstrapError } from './rdap-bootstrap.js';

t.test('a bootstrap file is read as services with keys and URLs', (t) => {
  const text = JSON.stringify({
    version: '1.0',
    services: [
      [['net', 'com'], ['https://nic.example.com/myrdap/']],
      [['org'], ['https://example.org/', 'http://example.org/'], 'more than RFC 9224 has'],
    ],
  });
  t.same(parseRdapBootstrap(text), [
    { keys: ['net', 'com'], urls: ['https://nic.example.com/myrdap/'] },
    { keys: ['org'], urls: ['https://example.org/', 'http://example.org/'] },
  ]);
  t.end();
});

t.test('entries of wrong types are skipped', (t) => {
  const odd = [null, 7, 'com', [], [['a']], [[], ['https://a.example/']], [['b'], []], [{}, {}], [[1], [2]]];
  const services = [
    ...odd,
    [
      ['c', 3, null],
      [{}, 'https://c.example.com/'],
    ],
  ];
  t.same(parseRdapBootstrap(JSON.stringify({ services })), [
    { keys: ['c'], urls: ['https://c.example.com/'] },
  ]);
  t.end();
});

t.test('a text that is not a bootstrap file is refused', (t) => {
  const whole = '{"services":[[["com"],["https://rdap.example.com/"]]]}';
  for (let end = 0; end < whole.length; end++) {
    t.throws(() => parseRdapBootstrap(whole.slice(0, end)), RdapBootstrapError, whole.slice(0, end));
  }
  for (const text of [
    'null',
    '[]',
    '{}',
    '{"services":{}}',
    '{"services":[]}',
    '<html>',
    '['.repeat(100_000),
  ]) {
    t.throws(() => parseRdapBootstrap(text), RdapBootstrapError, text.slice(0, 20));
  }
  t.throws(() => parseRdapBootstrap('{"__proto__":{"services":[[["a"],["b"]]]}}'), RdapBootstrapError);
  t.end();
});

t.test('the bootstrap files in the repository are complete', (t) => {
  const keysIn = { dns: 1203, ipv4: 221, ipv6: 34, asn: 159 };
  for (const [name, count] of Object.entries(keysIn)) {
    const file = new URL(`../../../fixtures/feeds/rdap/${name}.json`, import.meta.url);
    const services = parseRdapBootstrap(readFileSync(file, 'utf8'));
    t.equal(services.flatMap(({ keys }) => keys).length, count, name);
  }
  t.end();
});

import { isIP } from 'node:net';
import t from 'tap';
import { formatAddress } from '../../pipeline/net/address.js';
import { parseTarget, parseTargetAddress } from './target.js';

t.test('decision 16: text that is neither an address nor a host name is not a target', (t) => {
  const refused = [
    ...[
      '127.1',
      '010.0.0.1',
      '0x7f000001',
      '2130706433',
      '017700000001',
      '1.2.3',
      '0',
      '1.2.3.4.5',
      '1.2.3.256',
    ],
    ...['8.8.8.8.', '8.8.8.8:80', '8.8.8.8/32', ' 8.8.8.8', '8.8.8.8 ', '8.8.8.8\n', '8.8.8.8\0', '-8.8.8.8'],
    ...[
      'fe80::1%eth0',
      'fe80::1%25',
      '2001:4860::8888%1',
      '[::1]',
      '::1/128',
      '1::2::3',
      ':::',
      '12345::',
      '::g',
    ],
    ...[
      'AS123',
      'localhost',
      'com',
      'a',
      '',
      '.',
      '..',
      'a..b',
      '.example.com',
      'example.com..',
      'example.com.。',
    ],
    ...['host.1', 'host.0x7f', 'host.0x', '1.0x7f', 'a.127', '0x7f.1', 'example.123', '1.2.3.4.example.5'],
    ...[
      '１２７.０.０.１',
      '127。0。0。1',
      '８.8.8.8',
      'a.１',
      '0x７f.1',
      '⑧.8.8.8',
      '①２７.1',
      'l\u00adocalhost',
    ],
    // IDNA does not treat digits of other scripts as digits, but no name ends in them.
    ...['۱۲۷.۰.۰.۱', '०.०.०.१', 'a.১', 'xn--embcp.xn--emb', '𝟏𝟐𝟕.𝟎.𝟎.𝟏', '①②⑦.0.0.1', '二一.٣'],
    ...['-a.com', 'a-.com', 'a.-com', 'a.com-', 'a_b.com', 'a b.com', 'a,b.com', 'a*b.com', '*.example.com'],
    ...[
      'http://example.com',
      'user@example.com',
      'example.com:80',
      'example.com/path',
      'example.com?x',
      'a#b.com',
    ],
    ...[
      'ex%61mple.com',
      '%zz',
      'example.com%00.local',
      'a\\b.com',
      'a\tb.com',
      '例え/.com',
      '例え@a.com',
      '例え:80.com',
    ],
    ...['xn--a.com', 'xn--.com', '\ud800.com', '\u202eexample.com\u200b/', `${'a'.repeat(64)}.com`],
    ...[`${'a.'.repeat(127)}com`, `${'例'.repeat(70)}.com`, 'x'.repeat(100_000), '例'.repeat(100_000)],
    ...[
      'printer.local',
      'a.internal',
      'x.localhost',
      'nas.home.arpa',
      'home.arpa',
      'abc.onion',
      'a.test',
      'a.invalid',
    ],
    ...['www.example', 'A.LOCAL', 'a.local.', 'ｐrinter.local', 'a.ＬＯＣＡＬ'],
    ...['a.alt', 'nas.lan', 'mail.corp', 'a.private', 'b.intranet', 'fritz.home', 'ipv4only.arpa'],
    ...['_dns.resolver.arpa', 'dns.resolver.arpa', 'a.service.arpa', 'HOME.arpa.'],
  ];
  for (const text of refused) t.equal(parseTarget(text), undefined, JSON.stringify(text.slice(0, 40)));
  t.end();
});

t.test('reverse names, private or public, are not hosts', (t) => {
  const reverse = ['1.0.0.10.in-addr.arpa', '8.8.8.8.in-addr.arpa', 'IN-ADDR.arpa.', 'x.1.d.f.ip6.arpa'];
  for (const text of [...reverse, 'ip6.arpa', '１.0.0.10.in-addr.ａrpa', '1。0。0。10。in-addr。arpa'])
    t.equal(parseTarget(text), undefined, text);
  for (const name of ['a.in-addr.arpa.example.com', 'xin-addr.arpa', 'e164.arpa'])
    t.same(parseTarget(name), { kind: 'host', name });
  t.end();
});

t.test('decisions 16 and 17: every text that net.isIP accepts is an address, printed in one form', (t) => {
  const printed = [
    ['8.8.8.8', '8.8.8.8', 4],
    ['0.0.0.0', '0.0.0.0', 4],
    ['255.255.255.255', '255.255.255.255', 4],
    ['::ffff:8.8.8.8', '8.8.8.8', 4],
    ['::FFFF:808:808', '8.8.8.8', 4],
    ['0:0:0:0:0:ffff:7f00:1', '127.0.0.1', 4],
    ['2001:4860:4860:0:0:0:0:8888', '2001:4860:4860::8888', 6],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1', 6],
    ['2001:0db8::0001', '2001:db8::1', 6],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1', 6],
    ['::', '::', 6],
    ['::8.8.8.8', '::808:808', 6],
    ['64:ff9b::8.8.8.8', '64:ff9b::808:808', 6],
  ] as const;
  for (const [text, ip, version] of printed)
    t.same(parseTarget(text), { kind: 'address', ip, version }, text);
  t.end();
});

t.test('decision 17: names are lower case A-labels without a trailing dot', (t) => {
  const names = [
    ['example.com', 'example.com'],
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['bücher.de', 'xn--bcher-kva.de'],
    ['BÜCHER.de.', 'xn--bcher-kva.de'],
    ['中国.cn', 'xn--fiqs8s.cn'],
    ['xn--fiqs8s.cn', 'xn--fiqs8s.cn'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['ｅxample.com', 'example.com'],
    ['123.example.com', '123.example.com'],
    ['1.2.3.4.example.com', '1.2.3.4.example.com'],
    ['a.b.c.d.e.f', 'a.b.c.d.e.f'],
    ['r3---sn-4g5e.example.net', 'r3---sn-4g5e.example.net'],
    ['notlocal.org', 'notlocal.org'],
    ['example.local.com', 'example.local.com'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
    [`${'a.'.repeat(125)}com`, `${'a.'.repeat(125)}com`],
  ] as const;
  for (const [text, name] of names) t.same(parseTarget(text), { kind: 'host', name }, text.slice(0, 40));
  t.end();
});

t.test('every spelling that net.isIP accepts gives the same address', (t) => {
  const words = [0, 1, 0xffff, 0x1_0000, 0x2001_0db8, 0xffff_ffff];
  for (let i = 0; i < 500; i++) {
    const address = Uint32Array.from([i, i * 7 + 1, i * 11 + 2, i * 13 + 3], (n) => words[n % words.length]!);
    const groups = [...address].flatMap((word) => [word >>> 16, word & 0xffff]);
    const long = groups.map((group) => group.toString(16).padStart(4, '0').toUpperCase()).join(':');
    const short = formatAddress(address, 6);
    const mapped = address[0] === 0 && address[1] === 0 && address[2] === 0xffff;
    const found = parseTargetAddress(long);
    if (isIP(found?.ip ?? '') !== (mapped ? 4 : 6)) t.fail(long);
    if (!mapped && found?.ip !== short) t.fail(`${long}: ${found?.ip}`);
    if (JSON.stringify(parseTargetAddress(found!.ip)) !== JSON.stringify(found))
      t.fail(`${long} is not stable`);
  }
  t.end();
});

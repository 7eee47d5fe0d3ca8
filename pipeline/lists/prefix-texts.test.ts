import t from 'tap';
import { formatPrefix } from '../net/prefix.js';
import { PrefixTexts } from './prefix-texts.js';
import { addressOf, collectRows } from './testing/row-list.js';

t.test(
  'prefixes and addresses are inserted into their layer, also with host bits and invisible characters',
  (t) => {
    const { table, claims, tally } = collectRows(
      (sink) => {
        const first = new PrefixTexts(sink);
        const second = new PrefixTexts(sink, 1);
        const vpn = sink.intern({ type: 'VPN' });
        const hosting = sink.intern({ isHosting: true });
        t.ok(first.add('5.9.0.0/16', vpn, { position: 1 }));
        t.ok(first.add('5.39.1.1', vpn, { position: 2 }));
        t.ok(first.add('2A01:4F8::1/32', vpn, { position: 3 }));
        t.equal(formatPrefix(first.last.address, first.last.length), '2a01:4f8::/32');
        t.ok(second.add('\ufeff5.9.\u200b1.0 / 24\u200b ', hosting, { position: 4 }));
      },
      { layers: ['a', 'b'], combine: ([a, b]) => (a && b ? { ...a, ...b } : (a ?? b)) },
    );
    const claimAt = (text: string): unknown => claims[table.lookup(addressOf(text))?.recordId ?? -1];
    t.same(claimAt('5.9.0.1'), { type: 'VPN' });
    t.same(claimAt('5.9.1.1'), { type: 'VPN', isHosting: true });
    t.same(claimAt('5.39.1.1'), { type: 'VPN' });
    t.equal(claimAt('5.39.1.2'), undefined);
    t.same(claimAt('2a01:4f8:ffff::'), { type: 'VPN' });
    t.equal(tally.accepted, 4);
    t.same(tally.notes, { 'host-bits': 1 });
    t.end();
  },
);

t.test('a text that is not a prefix is rejected with its text or the given excerpt', (t) => {
  const texts = [
    '',
    'x',
    '5.9.0.0/33',
    '5.9.0.0/',
    '5.9.0/16',
    '::/129',
    '5.9.0.0/-1',
    '05.9.0.0',
    '1.2.3.4:80',
  ];
  const { tally, table } = collectRows((sink) => {
    const prefixes = new PrefixTexts(sink);
    texts.forEach((text, position) => {
      t.notOk(prefixes.add(text, 0, { position }), text);
    });
    t.notOk(prefixes.add('y', 0, { position: 99, excerpt: 'y,row' }));
  });
  t.equal(tally.rejections.address?.count, texts.length + 1);
  t.same(tally.rejections.address?.examples[1], { position: 1, excerpt: 'x' });
  t.equal(tally.accepted, 0);
  t.equal(table.networkCount(), 0);
  t.end();
});

t.test('a prefix in reserved space is a prefix and is counted as reserved', (t) => {
  const { tally } = collectRows((sink) => {
    t.ok(new PrefixTexts(sink).add('10.0.0.0/8', sink.intern({ type: 'VPN' }), { position: 5 }));
  });
  t.same(tally.rejections, { reserved: { count: 1, examples: [{ position: 5, excerpt: '10.0.0.0/8' }] } });
  t.end();
});

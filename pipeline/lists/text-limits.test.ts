import t from 'tap';
import { parsePrefix } from '../net/prefix.js';
import type { ListClaim } from './list-claim.js';
import { addressOf, collectRows } from './testing/row-list.js';
import { LABELS, TEXT_CHARACTERS, textFault } from './text-limits.js';

const LONGEST = 'x'.repeat(TEXT_CHARACTERS);
const MEGABYTES = 'x'.repeat(3_000_000);

t.test('texts and labels of claims are accepted up to their maximum length', (t) => {
  const full: ListClaim = {
    type: LONGEST,
    isp: LONGEST,
    domain: LONGEST,
    threats: Array<string>(LABELS).fill(LONGEST),
    fraudScore: 99,
    isOwn: true,
  };
  t.equal(textFault(full), undefined);
  t.equal(textFault({}), undefined);
  for (const field of [
    'type',
    'provider',
    'usageType',
    'isp',
    'domain',
    'cloud',
    'service',
    'region',
  ] as const)
    t.equal(textFault({ ...full, [field]: `${LONGEST}x` }), `${field} has 257 characters`);
  for (const field of ['threats', 'allow'] as const) {
    t.equal(textFault({ [field]: ['SPAM', MEGABYTES] }), `a label of ${field} has 3000000 characters`);
    t.equal(textFault({ [field]: Array<string>(LABELS + 1).fill('') }), `${field} has 65 labels`);
  }
  t.end();
});

t.test(
  'a row with megabytes of text is rejected, with its network and the long field in the excerpt; other rows are kept',
  (t) => {
    const { table, claims, asns, tally } = collectRows((sink) => {
      const long = sink.intern({ type: 'VPN', isp: MEGABYTES });
      sink.prefix(0, parsePrefix('5.9.0.0/16')!, long, 1);
      sink.prefix(0, parsePrefix('5.39.0.0/16')!, sink.intern({ type: 'VPN', isp: LONGEST }), 2);
      sink.range(0, addressOf('2a01:4f8::'), addressOf('2a01:4f8::7'), long, 3);
      sink.range(0, addressOf('9.9.9.0'), addressOf('9.9.9.9'), sink.intern({ domain: MEGABYTES }), 4);
      sink.asn(64_496, { provider: MEGABYTES }, 5);
      sink.asn(64_496, { provider: 'Mullvad' }, 6);
    });
    t.same(tally.rejections, {
      'text-length': {
        count: 4,
        examples: [
          { position: 1, excerpt: '5.9.0.0/16: isp has 3000000 characters' },
          { position: 3, excerpt: '2a01:4f8::-2a01:4f8::7: isp has 3000000 characters' },
          { position: 4, excerpt: '9.9.9.0-9.9.9.9: domain has 3000000 characters' },
        ],
      },
    });
    t.equal(tally.accepted, 2);
    t.same(claims, [{ type: 'VPN', isp: LONGEST }]);
    t.equal(table.lookup(addressOf('5.9.0.1')), undefined);
    t.same([...asns], [[64_496, { provider: 'Mullvad' }]]);
    t.end();
  },
);

t.test('a prefix that is too wide is refused even with a long text', (t) => {
  t.throws(
    () =>
      collectRows((sink) => {
        sink.prefix(0, parsePrefix('0.0.0.0/0')!, sink.intern({ isp: MEGABYTES }), 1);
      }),
    { name: 'FeedError', refusal: 'too-wide' },
  );
  t.end();
});

import t from 'tap';
import { FeedError } from '../input/feed-error.js';
import { parsePrefix } from '../net/prefix.js';
import type { ListSink } from './list.js';
import { isTooWide } from '../input/claims/too-wide.js';
import { addressOf, collectRows, type CollectedRows } from './testing/row-list.js';

const VPN = { type: 'VPN' };
const TOR = { type: 'TOR' };

function addPrefix(sink: ListSink, text: string, claim: object = VPN): void {
  sink.prefix(0, parsePrefix(text)!, sink.intern(claim), 7);
}

function addRange(sink: ListSink, start: string, end: string): void {
  sink.range(0, addressOf(start), addressOf(end), sink.intern(VPN), 7);
}

function claimAt({ table, claims }: CollectedRows, address: string): unknown {
  const match = table.lookup(addressOf(address));
  return match && claims[match.recordId];
}

/** Returns the message of the refusal for a row. */
function refusal(fill: (sink: ListSink) => void, options = {}): string | undefined {
  try {
    collectRows(fill, options);
    return undefined;
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return `${error.file} ${error.refusal} ${error.found}`;
  }
}

const LIMITS = ': expected at least /8 in IPv4 and /16 in IPv6';

t.test('the most specific row is used, and the first of equal ones', (t) => {
  const made = collectRows((sink) => {
    addPrefix(sink, '5.9.0.0/16');
    addPrefix(sink, '5.9.1.0/24', TOR);
    addPrefix(sink, '5.9.1.0/24', VPN);
    addPrefix(sink, '5.9.0.0/16');
    addRange(sink, '5.39.0.250', '5.39.1.3');
  });
  t.same(claimAt(made, '5.9.0.1'), VPN);
  t.same(claimAt(made, '5.9.1.1'), TOR);
  t.same(claimAt(made, '5.39.1.3'), VPN);
  t.equal(claimAt(made, '5.39.1.4'), undefined);
  t.equal(made.tally.accepted, 5);
  t.same(made.tally.notes, { conflict: 1, duplicate: 1 });
  t.end();
});

t.test('reserved space is removed from rows inside it and around it', (t) => {
  const made = collectRows((sink) => {
    addPrefix(sink, '192.168.1.0/24');
    addPrefix(sink, '100.0.0.0/8');
    addRange(sink, '9.255.255.0', '11.0.0.255');
    addPrefix(sink, '2001:db8::/32');
    addPrefix(sink, '2000::/16');
  });
  for (const address of ['192.168.1.1', '100.64.0.1', '100.127.255.255', '10.0.0.0', '2001:db8::1']) {
    t.equal(claimAt(made, address), undefined, address);
  }
  for (const address of ['100.63.255.255', '100.128.0.0', '9.255.255.0', '11.0.0.255', '2000::1']) {
    t.same(claimAt(made, address), VPN, address);
  }
  t.equal(made.tally.rejections.reserved?.count, 2);
  t.equal(made.tally.accepted, 3);
  t.equal(made.tally.notes.clipped, 2);
  t.end();
});

t.test('a file with a prefix wider than any operator’s is refused, and the error names the row', (t) => {
  const wide = [
    '0.0.0.0/0',
    '128.0.0.0/1',
    '4.0.0.0/7',
    '::/0',
    '2000::/3',
    '2a00::/12',
    '2000::/15',
    '::/8',
  ];
  for (const text of wide) {
    t.equal(
      refusal((sink) => {
        addPrefix(sink, text);
      }),
      `rows/file too-wide row 7 has ${text}${LIMITS}`,
    );
  }
  for (const text of ['4.0.0.0/8', '0.0.0.0/8', '2000::/16', '2a00::/16']) {
    t.equal(isTooWide(parsePrefix(text)!), false, text);
    t.equal(
      refusal((sink) => {
        addPrefix(sink, text);
      }),
      undefined,
      text,
    );
  }
  t.end();
});

t.test('a range is too wide when one of its prefixes is, not when it crosses a border', (t) => {
  const ranges: [start: string, end: string, isWide: boolean][] = [
    ['0.0.0.0', '255.255.255.255', true],
    ['1.0.0.1', '255.255.255.254', true],
    ['3.255.255.255', '6.0.0.0', true],
    ['4.0.0.0', '5.255.255.255', true],
    ['3.0.0.0', '4.255.255.255', false],
    ['127.255.255.255', '128.0.0.0', false],
    ['9.255.255.0', '10.0.0.255', false],
    ['2000::', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', true],
    ['2a00::', '2a01:ffff:ffff:ffff:ffff:ffff:ffff:ffff', true],
    ['2a00:ffff::', '2a01::ffff', false],
    ['1fff:ffff::', '2000::1', false],
  ];
  for (const [start, end, isWide] of ranges) {
    const found = refusal((sink) => {
      addRange(sink, start, end);
    });
    t.equal(found, isWide ? `rows/file too-wide row 7 has ${start}-${end}${LIMITS}` : undefined);
  }
  t.end();
});

t.test('all of IPv4 is also too wide when written as mapped addresses', (t) => {
  for (const foldMapped of [false, true]) {
    for (const text of ['::ffff:0:0/96', '::ffff:128.0.0.0/97', '::ffff:4.0.0.0/103']) {
      t.match(
        refusal(
          (sink) => {
            addPrefix(sink, text);
          },
          { foldMapped },
        ),
        /^rows\/file too-wide/,
        text,
      );
    }
    t.match(
      refusal(
        (sink) => {
          addRange(sink, '::ffff:0.0.0.0', '::ffff:255.255.255.255');
        },
        { foldMapped },
      ),
      /^rows\/file too-wide/,
    );
    t.equal(
      refusal(
        (sink) => {
          addPrefix(sink, '::ffff:4.0.0.0/104');
        },
        { foldMapped },
      ),
      undefined,
    );
  }
  t.end();
});

t.test('mapped rows are dropped, or inserted as IPv4 for a list without an IPv4 file', (t) => {
  const fill = (sink: ListSink): void => {
    addPrefix(sink, '::ffff:5.9.0.0/112');
    addRange(sink, '::ffff:5.39.0.250', '::ffff:5.39.1.3');
  };
  const dropped = collectRows(fill);
  t.equal(claimAt(dropped, '5.9.1.1'), undefined);
  const folded = collectRows(fill, { foldMapped: true });
  t.same(claimAt(folded, '5.9.1.1'), VPN);
  t.same(claimAt(folded, '5.39.1.0'), VPN);
  for (const { tally } of [dropped, folded]) t.same([tally.accepted, tally.notes], [2, { mapped: 2 }]);
  t.end();
});

t.test('layers are combined per network, and networks without a combined claim are not in the table', (t) => {
  const made = collectRows(
    (sink) => {
      const vpn = sink.intern(VPN);
      const hosting = sink.intern({ isHosting: true });
      sink.prefix(0, parsePrefix('5.9.0.0/24')!, vpn, 1);
      sink.prefix(1, parsePrefix('5.9.0.0/16')!, hosting, 2);
      sink.prefix(1, parsePrefix('5.39.0.0/16')!, hosting, 3);
    },
    { layers: ['a', 'b'], combine: ([a, b]) => (a && b ? { ...a, ...b } : undefined) },
  );
  t.same(claimAt(made, '5.9.0.1'), { type: 'VPN', isHosting: true });
  t.equal(claimAt(made, '5.9.1.1'), undefined);
  t.equal(made.table.networkCount(), 1);
  t.end();
});

t.test('the first row about an autonomous system is kept, and all are counted', (t) => {
  const { asns, tally } = collectRows((sink) => {
    sink.asn(64_496, { threats: ['SPAM'] }, 1);
    sink.asn(64_496, { threats: ['SPAM'] }, 2);
    sink.asn(64_496, { threats: ['BOTNET'] }, 3);
    sink.asn(4_294_967_295, {}, 4);
    sink.asn(0, { type: 'VPN' }, 5);
  });
  t.same(
    [...asns],
    [
      [64_496, { threats: ['SPAM'] }],
      [4_294_967_295, {}],
      [0, { type: 'VPN' }],
    ],
  );
  t.equal(tally.accepted, 5);
  t.same(tally.notes, { duplicate: 1, conflict: 1 });
  for (const asn of [-1, 1.5, 2 ** 32, NaN]) {
    const fill = (sink: ListSink): void => {
      sink.asn(asn, {}, 1);
    };
    t.throws(() => collectRows(fill), { code: 'ERR_ASSERTION' });
  }
  t.end();
});

t.test('unknown, rejected and odd rows are counted in the tally', (t) => {
  const { tally } = collectRows((sink) => {
    sink.unknown();
    sink.reject('json', 3, '{}');
    sink.note('skipped');
  });
  t.equal(tally.rows, 2);
  t.same(tally.notes, { unknown: 1, skipped: 1 });
  t.same(tally.rejections, { json: { count: 1, examples: [{ position: 3, excerpt: '{}' }] } });
  t.end();
});

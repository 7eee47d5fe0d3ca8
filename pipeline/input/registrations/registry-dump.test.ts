import t from 'tap';
import { FeedError } from '../feed-error.js';
import type { GeofeedReference } from './geofeed-blocks.js';
import { readRegistryDump } from './registry-dump.js';

const DUMP = `# comments of the registry
# about the data

inetnum:        192.0.2.0 - 192.0.2.255
netname:        ACME
geofeed:        https://acme.example.net/geofeed.csv
last-modified:  2024-05-06T07:08:09Z
source:         TEST

inetnum:        198.51.100.0 - 198.51.100.127   # a comment
remarks:        Geofeed: see the next line
remarks:        Geofeed https://acme.example.net/remarks.csv
source:         TEST

inetnum:        198.51.100.128 - 198.51.100.255
remarks:        Geofeed https://acme.example.net/remarks.csv
geofeed:        https://acme.example.net/attribute.csv
source:         TEST

inetnum:        203.0.113.0 - 203.0.113.255
remarks:        our Geofeed https://acme.example.net/elsewhere.csv
remarks:        geofeed https://acme.example.net/lower-case.csv
descr:          geofeed: https://acme.example.net/text.csv
source:         TEST

aut-num:        AS64500
remarks:        Geofeed https://acme.example.net/as.csv
source:         TEST

inet6num:       2001:db8::/32
netname:        ACME
remarks:        Geofeed https://acme.example.net/six.csv
source:         TEST
`;

const EXPECTED: readonly Omit<GeofeedReference, 'modified'>[] = [
  { network: '192.0.2.0 - 192.0.2.255', url: 'https://acme.example.net/geofeed.csv' },
  { network: '198.51.100.0 - 198.51.100.127', url: 'https://acme.example.net/remarks.csv' },
  { network: '198.51.100.128 - 198.51.100.255', url: 'https://acme.example.net/attribute.csv' },
  { network: '2001:db8::/32', url: 'https://acme.example.net/six.csv' },
];

async function read(chunks: readonly Buffer[]) {
  const found: { reference: GeofeedReference; position: number }[] = [];
  await readRegistryDump({ id: 'test.db.gz' }, toStream(chunks), {
    reference: (reference, position) => found.push({ reference, position }),
  });
  return found;
}

// eslint-disable-next-line @typescript-eslint/require-await -- a stream of chunks that are known
async function* toStream(chunks: readonly Buffer[]) {
  yield* chunks;
}

t.test('registrations of networks with a geofeed are found, the attribute before the remark', async (t) => {
  const found = await read([Buffer.from(DUMP)]);
  t.match(
    found.map(({ reference }) => reference),
    EXPECTED,
  );
  t.equal(found[0]!.reference.modified, Date.UTC(2024, 4, 6, 7, 8, 9) / 1000);
  t.equal(found[1]!.reference.modified, undefined);
  for (const { reference, position } of found) {
    t.match(DUMP.slice(position, position + 60), `num:`);
    t.ok(DUMP.slice(position).split('\n', 1)[0]!.includes(reference.network), 'the offset of the object');
  }
});

t.test('line ends of two bytes are accepted', async (t) => {
  const found = await read([Buffer.from(DUMP.replaceAll('\n', '\r\n'))]);
  t.match(
    found.map(({ reference }) => reference),
    EXPECTED,
  );
});

t.test('the blocks of the scan do not change the result', async (t) => {
  const filler = `inetnum:        10.0.0.0 - 10.0.0.255\nremarks:        ${'x'.repeat(1000)}\n\n`.repeat(
    2_500,
  );
  const bytes = Buffer.from(`${filler}${DUMP}\n${filler}${DUMP}`);
  const whole = await read([bytes]);
  t.equal(whole.length, 2 * EXPECTED.length);
  for (const size of [65_536, 1_048_576, 999_983]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    t.same(await read(chunks), whole, `chunks of ${size} bytes`);
  }
});

t.test('a dump that is cut at any byte gives the references before the cut', async (t) => {
  const whole = await read([Buffer.from(DUMP)]);
  for (let end = 0; end < DUMP.length; end += 7) {
    const found = await read([Buffer.from(DUMP.slice(0, end))]);
    t.ok(found.length <= whole.length);
    const complete = found.slice(0, -1);
    t.same(complete, whole.slice(0, complete.length));
  }
});

t.test('a file without blank lines is refused, not kept in memory', async (t) => {
  const chunks = Array.from({ length: 20 }, () => Buffer.alloc(1 << 20, 'Geofeed geofeed: x\n'));
  await t.rejects(
    read(chunks),
    new FeedError('container', 'test.db.gz', 'an object has more than 8388608 bytes: not a dump'),
  );
});

import { readFileSync, writeFileSync } from 'node:fs';
import { Reader, type Response } from 'maxmind';
import t from 'tap';
import { formatPrefix, parsePrefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import { MmdbEncodeError } from './encode-error.js';
import { arrayOf, map, mapOf, type Schema } from './schema.js';
import { chooseRecordSize } from './tree-bytes.js';
import { encodeMmdb, writeMmdb, type MmdbContent } from './write.js';

const NAMES = mapOf('string');
const CITY = map({
  city: map({ geoname_id: 'uint32', names: NAMES }),
  country: map({ iso_code: 'string', geoname_id: 'uint32', names: NAMES }),
  location: map({ latitude: 'double', longitude: 'double', accuracy_radius: 'uint16' }),
  subdivisions: arrayOf(map({ iso_code: 'string', names: NAMES })),
});

function content(
  networks: Readonly<Record<string, unknown>>,
  schema: Schema,
  rest?: Partial<MmdbContent>,
): MmdbContent {
  const table = new PrefixTable();
  const records: unknown[] = [];
  for (const [text, record] of Object.entries(networks)) {
    const prefix = parsePrefix(text);
    if (!prefix) throw new Error(text);
    let id = records.indexOf(record);
    if (id < 0) id = records.push(record) - 1;
    table.insert(prefix.address, prefix.length, id);
  }
  return {
    table: table.flatten(),
    records,
    schema,
    databaseType: 'ipatlas-Test',
    description: { en: 'A test' },
    languages: ['en', 'zh-CN'],
    ipVersion: 6,
    buildEpoch: 1_700_000_000,
    ...rest,
  };
}

const open = (file: MmdbContent): Reader<Response> => new Reader<Response>(encodeMmdb(file));

const SMALL = {
  '1.0.1.0/24': {
    city: { geoname_id: 1809858, names: { en: 'Guangzhou', 'zh-CN': '广州市' } },
    country: { iso_code: 'CN', geoname_id: 1814991, names: { en: 'China', 'zh-CN': '中国' } },
    location: { latitude: 23.1291, longitude: 113.2644, accuracy_radius: 50 },
    subdivisions: [{ iso_code: 'GD', names: { en: 'Guangdong', 'zh-CN': '广东' } }],
  },
  '8.8.8.0/24': { country: { iso_code: 'US', geoname_id: 6252001, names: { en: 'United States' } } },
  '2001:db8::/32': {
    country: { iso_code: 'CN', geoname_id: 1814991, names: { en: 'China', 'zh-CN': '中国' } },
    location: { latitude: 0, longitude: -0, accuracy_radius: 0 },
  },
};

t.test('a small database is written byte for byte as before', (t) => {
  const golden = new URL('../../../fixtures/golden/small.mmdb', import.meta.url);
  const written = encodeMmdb(content(SMALL, CITY));
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, written);
  const expected = readFileSync(golden);
  const differing = written.findIndex((byte, i) => byte !== expected[i]);
  t.equal(differing, -1, `first differing byte at ${differing}`);
  t.equal(written.length, expected.length);
  t.end();
});

t.test('maxmind reads back what was written', (t) => {
  const reader = open(content(SMALL, CITY));
  t.same(reader.get('1.0.1.77'), SMALL['1.0.1.0/24']);
  t.same(reader.get('8.8.8.8'), SMALL['8.8.8.0/24']);
  t.same(reader.get('2001:db8:1::1'), SMALL['2001:db8::/32']);
  t.equal(reader.get('9.9.9.9'), null);
  t.same(reader.getWithPrefixLength('1.0.1.77')[1], 24);
  t.match(reader.metadata, {
    databaseType: 'ipatlas-Test',
    ipVersion: 6,
    languages: ['en', 'zh-CN'],
    recordSize: 24,
  });
  t.end();
});

t.test(
  'IPv4-mapped and 6to4 addresses give the answer of their IPv4 address, Teredo addresses do not',
  (t) => {
    const reader = open(content(SMALL, CITY));
    t.same(reader.get('::ffff:1.0.1.1'), SMALL['1.0.1.0/24']);
    t.same(reader.get('2002:100:101::1'), SMALL['1.0.1.0/24']);
    t.equal(reader.get('2001:0:100:101::1'), null);
    t.end();
  },
);

t.test('a file without IPv4 data has no aliases', (t) => {
  const reader = open(content({ '2001:db8::/32': SMALL['2001:db8::/32'] }, CITY));
  t.equal(reader.get('::ffff:1.0.1.1'), null);
  t.equal(reader.metadata.nodeCount, 32);
  t.end();
});

t.test('one record for everything still has a node at ::/96 for the aliases', (t) => {
  const reader = open(content({ '::/0': { iso: 'XX' } }, map({ iso: 'string' })));
  for (const ip of ['1.2.3.4', '2001:db8::1', '::ffff:1.2.3.4', '2002:102:304::', 'ffff::']) {
    t.same(reader.get(ip), { iso: 'XX' }, ip);
  }
  t.equal(reader.getWithPrefixLength('1.2.3.4')[1], 1, 'the IPv4 root is a real node');
  t.end();
});

t.test('networks inside an alias are refused', (t) => {
  t.throws(
    () =>
      encodeMmdb(
        content({ '2002:101::/32': { iso: 'XX' }, '1.1.1.1/32': { iso: 'YY' } }, map({ iso: 'string' })),
      ),
    {
      name: 'MmdbEncodeError',
      message: /2002::\/16/,
    },
  );
  t.end();
});

t.test('a network that equals an alias is refused, a network around an alias is divided', (t) => {
  const schema = map({ iso: 'string' });
  const around = content({ '2000::/3': { iso: 'XX' }, '1.1.1.1/32': { iso: 'YY' } }, schema);
  t.same(open(around).get('2002:101:101::'), { iso: 'YY' });
  t.same(open(around).get('2003::1'), { iso: 'XX' });
  const exact = content({ '2002::/16': { iso: 'XX' }, '1.1.1.1/32': { iso: 'YY' } }, schema);
  t.throws(() => encodeMmdb(exact), /2002::\/16/);
  t.end();
});

t.test('an IPv4 file contains the IPv4 networks and refuses IPv6', (t) => {
  const schema = map({ iso: 'string' });
  const reader = open(
    content({ '1.2.0.0/16': { iso: 'A' }, '1.3.0.0/16': { iso: 'B' } }, schema, { ipVersion: 4 }),
  );
  t.same(reader.get('1.2.3.4'), { iso: 'A' });
  t.same(reader.get('1.3.3.4'), { iso: 'B' });
  t.equal(reader.get('1.4.3.4'), null);
  t.equal(reader.metadata.nodeCount, 16);
  t.same(open(content({ '0.0.0.0/0': { iso: 'A' } }, schema, { ipVersion: 4 })).get('9.9.9.9'), { iso: 'A' });
  t.throws(
    () =>
      encodeMmdb(
        content({ '1.2.0.0/16': { iso: 'A' }, '2001:db8::/32': { iso: 'B' } }, schema, { ipVersion: 4 }),
      ),
    MmdbEncodeError,
  );
  t.throws(() => encodeMmdb(content({ '::/0': { iso: 'A' } }, schema, { ipVersion: 4 })), MmdbEncodeError);
  t.end();
});

t.test('an IPv4 file refuses an IPv6 network of any length beside ::/96', (t) => {
  const schema = map({ iso: 'string' });
  for (let length = 1; length <= 96; length++) {
    const beside = new Uint32Array(4);
    beside[(length - 1) >>> 5] = 2 ** (31 - ((length - 1) & 31));
    const networks = { '1.2.0.0/16': { iso: 'A' }, [formatPrefix(beside, length, 6)]: { iso: 'B' } };
    t.throws(
      () => encodeMmdb(content(networks, schema, { ipVersion: 4 })),
      { message: /the table contains IPv6 networks/ },
      `/${length}`,
    );
  }
  t.end();
});

t.test('an empty table is a valid file', (t) => {
  const reader = open(content({}, CITY));
  t.equal(reader.get('1.1.1.1'), null);
  t.equal(reader.get('2001:db8::1'), null);
  t.end();
});

t.test('the record size is the smallest that can refer to the last record', (t) => {
  t.equal(chooseRecordSize(1, 0), 24);
  t.equal(chooseRecordSize(2 ** 24 - 18, 1), 24);
  t.equal(chooseRecordSize(2 ** 24 - 17, 1), 28);
  t.equal(chooseRecordSize(2 ** 28 - 18, 1), 28);
  t.equal(chooseRecordSize(2 ** 28 - 17, 1), 32);
  t.equal(chooseRecordSize(2 ** 31, 2 ** 31 - 17), 32);
  t.throws(() => chooseRecordSize(2 ** 31, 2 ** 31 - 16), MmdbEncodeError);
  t.end();
});

t.test('equal values of different types never share bytes', (t) => {
  const schema = map({
    a: map({ x: 'uint16' }),
    b: map({ x: 'uint32' }),
    c: map({ x: 'double' }),
    d: map({ x: 'boolean' }),
    e: map({ x: 'float' }),
    f: map({ x: 'int32' }),
  });
  const record = { a: { x: 1 }, b: { x: 1 }, c: { x: 1 }, d: { x: true }, e: { x: 1 }, f: { x: 1 } };
  const bytes = encodeMmdb(content({ '1.1.1.1/32': record }, schema));
  for (const written of ['a101', 'c101', '683ff0000000000000', '0107', '04083f800000', '010101']) {
    t.ok(bytes.includes(Buffer.from(written, 'hex')), written);
  }
  const zeros = map({ a: arrayOf('double'), b: arrayOf('double') });
  const reader = open(content({ '1.1.1.1/32': { a: [0, 0, 0], b: [-0, -0, -0] } }, zeros));
  const read = reader.get('1.1.1.1') as unknown as { a: number[]; b: number[] };
  t.ok(Object.is(read.a[0], 0) && Object.is(read.b[0], -0), '-0 is not 0');
  t.end();
});

t.test('equal records and parts are written once', (t) => {
  const country = (): unknown => ({ iso_code: 'CN', names: { en: 'China', 'zh-CN': '中国' } });
  const networks: Record<string, unknown> = {};
  for (let i = 0; i < 200; i++) {
    networks[`10.${i}.0.0/16`] = { country: country(), location: { accuracy_radius: i % 100 } };
  }
  const bytes = encodeMmdb(content(networks, CITY));
  const times = bytes.toString('latin1').split(Buffer.from('中国').toString('latin1')).length - 1;
  t.equal(times, 1);
  const reader = new Reader<Response>(bytes);
  t.same(reader.get('10.150.1.1'), networks['10.150.0.0/16']);
  t.end();
});

t.test('unknown keys, missing records and reserved names are refused', (t) => {
  const one =
    (record: unknown, rest?: Partial<MmdbContent>): (() => unknown) =>
    () =>
      encodeMmdb(content({ '1.1.1.1/32': record }, CITY, rest));
  t.throws(one({ cty: {} }), /at \/: key "cty"/);
  t.throws(one({ location: { accuracy_radius: 70_000 } }), /at \/location\/accuracy_radius: /);
  t.throws(one({ subdivisions: {} }), /at \/subdivisions: /);
  t.throws(one({ subdivisions: ['x'] }), MmdbEncodeError);
  t.throws(one({ city: null }), /at \/city: /);
  t.throws(one({}, { records: [] }), /record 0/);
  t.throws(one({}, { databaseType: 'GeoIP2-City' }), /GeoIP/);
  t.throws(one({}, { description: {} }), /description/);
  t.throws(one({}, { description: { en: 'x'.repeat(140_000) } }), /128|131072/);
  t.end();
});

t.test('the file on disk equals the bytes in memory, with their digest', async (t) => {
  const dir = t.testdir();
  const file = content(SMALL, CITY);
  const written = writeMmdb(`${dir}/a.mmdb`, file);
  const bytes = readFileSync(`${dir}/a.mmdb`);
  t.ok(bytes.equals(encodeMmdb(file)));
  const { createHash } = await import('node:crypto');
  t.equal(written.sha256, createHash('sha256').update(bytes).digest('hex'));
  t.match(written, { sizeBytes: bytes.length, records: 3, recordSize: 24 });
});

t.test('a list that builds its records also refuses networks without one', (t) => {
  const file = content({ '192.0.2.0/24': 'first', '198.51.100.0/24': 'second' }, 'string');
  const records = { length: 0, at: () => undefined, build: () => 0 };
  t.throws(() => encodeMmdb({ ...file, records }), /record [01] of the table is not in the record list/);
  t.end();
});

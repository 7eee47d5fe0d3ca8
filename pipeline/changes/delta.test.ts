import t from 'tap';
import { arrayOf, map, type Schema } from '../mmdb/schema.js';
import { WRITER_VERSION } from '../mmdb/write.js';
import { rebuildFile } from './apply-delta.js';
import { ChangesError, type ChangesFault } from './changes-error.js';
import { readDeltaHeader } from './delta-file.js';
import { makeDelta } from './make-delta.js';
import { encodeSchema } from './schema-text.js';
import {
  changedNetworks,
  digested,
  fileOf,
  RANDOM_SCHEMA,
  randomNetworks,
  randomNumbers,
} from './testing/random-files.js';

/** Returns the delta between two files. */
function deltaOf(old: Buffer, now: Buffer): Buffer {
  return makeDelta({ dataset: 'geo', schema: RANDOM_SCHEMA, old: digested(old), new: digested(now) });
}

/** Returns the rebuilt file, or the fault of the delta. Throws any other error. */
function outcomeOf(old: Buffer, delta: Buffer): Buffer | ChangesFault {
  try {
    return rebuildFile(old, delta);
  } catch (error) {
    if (error instanceof ChangesError) return error.fault;
    throw error;
  }
}

t.test(
  'the old file and the delta give the bytes of the new file, for random files of both versions',
  (t) => {
    for (let seed = 1; seed <= 120; seed++) {
      const random = randomNumbers(seed);
      const ipVersion = seed % 4 === 0 ? 4 : 6;
      const before = randomNetworks(random, random(200), ipVersion);
      const after =
        seed % 10 === 0 ? randomNetworks(random, 50, ipVersion) : changedNetworks(random, before, ipVersion);
      const [old, now] = [fileOf(before, ipVersion, 1), fileOf(after, ipVersion, 2)];
      const delta = deltaOf(old, now);
      if (!rebuildFile(old, delta).equals(now)) t.fail(`seed ${seed}`);
    }
    t.end();
  },
);

t.test('networks over an alias of IPv4 and over all addresses are rebuilt', (t) => {
  const all = { words: [0, 0, 0, 0], length: 0, record: 1 };
  const six = { words: [0x20000000, 0, 0, 0], length: 3, record: 2 };
  const four = { words: [0, 0, 0, 0x01010000], length: 112, record: 3 };
  const files = [[], [all], [six], [four], [six, four], [all, six, four]].map((networks) =>
    fileOf(networks, 6),
  );
  for (const old of files) {
    for (const now of files) t.ok(rebuildFile(old, deltaOf(old, now)).equals(now));
  }
  t.end();
});

t.test('a delta without changes has the new metadata only', (t) => {
  const networks = randomNetworks(randomNumbers(5), 50, 6);
  const [old, now] = [fileOf(networks, 6, 1), fileOf(networks, 6, 2)];
  const delta = deltaOf(old, now);
  t.match(readDeltaHeader(delta), { changes: 0, records: 0, writer: WRITER_VERSION, dataset: 'geo' });
  t.ok(rebuildFile(old, delta).equals(now));
  t.end();
});

t.test('a delta that was applied before, out of order or to another file is refused by name', (t) => {
  const random = randomNumbers(7);
  const first = randomNetworks(random, 60, 6);
  const second = changedNetworks(random, first, 6);
  const [a, b, c] = [
    fileOf(first, 6, 1),
    fileOf(second, 6, 2),
    fileOf(changedNetworks(random, second, 6), 6, 3),
  ];
  const [ab, bc] = [deltaOf(a, b), deltaOf(b, c)];
  t.equal(outcomeOf(b, ab), 'other-file', 'replayed');
  t.equal(outcomeOf(a, bc), 'other-file', 'reordered');
  t.ok(rebuildFile(rebuildFile(a, ab), bc).equals(c), 'in order');
  const other = Buffer.from(a);
  other[0]! ^= 1;
  t.throws(() => rebuildFile(other, ab), {
    message: /^the file has sha256 [0-9a-f]{64}: the delta begins from sha256/,
  });
  t.throws(() => rebuildFile(a.subarray(1), ab), {
    message: /^the file has \d+ bytes: the delta begins from/,
  });
  t.end();
});

t.test('a delta of another format or of another writer is refused by version', (t) => {
  const old = fileOf([], 6);
  const delta = deltaOf(old, old);
  const end = delta.indexOf(10);
  const withHeader = (change: object): Buffer => {
    const header = { ...(JSON.parse(delta.toString('utf8', 0, end)) as object), ...change };
    return Buffer.concat([Buffer.from(JSON.stringify(header)), delta.subarray(end)]);
  };
  t.ok(rebuildFile(old, withHeader({})).equals(old));
  t.equal(outcomeOf(old, withHeader({ version: 2 })), 'version');
  t.equal(outcomeOf(old, withHeader({ writer: WRITER_VERSION + 1 })), 'version');
  t.equal(
    outcomeOf(old, withHeader({ schema: [{ arrayOf: 0 }] })),
    'damaged',
    'a schema that contains itself',
  );
  t.equal(outcomeOf(old, withHeader({ streams: [1e12] })), 'damaged', 'streams that no delta has');
  t.equal(outcomeOf(old, withHeader({ changes: 2 ** 40 })), 'damaged', 'more changes than streams');
  t.equal(outcomeOf(old, Buffer.alloc(0)), 'damaged');
  t.equal(outcomeOf(old, Buffer.from('{}\n')), 'damaged');
  t.end();
});

t.test('a damaged delta never gives a file with another sha256, and fails with a ChangesError', (t) => {
  const random = randomNumbers(11);
  const networks = randomNetworks(random, 40, 6);
  const [old, now] = [fileOf(networks, 6, 1), fileOf(changedNetworks(random, networks, 6), 6, 2)];
  const delta = deltaOf(old, now);
  for (let end = 0; end < delta.length; end += 3)
    t.equal(outcomeOf(old, delta.subarray(0, end)), 'damaged', `cut at ${end}`);
  let refused = 0;
  for (let at = 0; at < delta.length; at++) {
    const flipped = Buffer.from(delta);
    flipped[at]! ^= 1 << random(8);
    const outcome = outcomeOf(old, flipped);
    if (typeof outcome === 'string') refused++;
    else if (!outcome.equals(now)) t.fail(`a flipped bit at ${at} gives another file`);
  }
  // Some fields of the header are not part of the file, such as the name of the dataset.
  t.ok(refused > 0.95 * delta.length, `${refused} of ${delta.length} refused`);
  t.end();
});

t.test('a schema that contains itself cannot be described', (t) => {
  const inner: { kind: 'map'; fields: Record<string, Schema> } = { kind: 'map', fields: { name: 'string' } };
  inner.fields['parent'] = arrayOf(inner);
  const old = digested(fileOf([], 6));
  t.throws(
    () => makeDelta({ dataset: 'geo', schema: map({ route: inner }), old, new: old }),
    new ChangesError('content', 'the schema of the records contains itself'),
  );
  t.strictSame(encodeSchema(map({ a: inner.fields['name']!, b: arrayOf('string') })), [
    { arrayOf: 'string' },
    {
      map: [
        ['a', 'string'],
        ['b', 0],
      ],
    },
  ]);
  t.end();
});

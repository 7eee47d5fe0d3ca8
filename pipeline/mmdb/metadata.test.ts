import t from 'tap';
import { readMetadata } from './metadata.js';
import { readMmdb } from './read.js';
import * as hand from './testing/hand-made.js';
import { refusalOf } from './testing/refusal.js';
import { verifyMmdb } from './verify.js';

const X = hand.utf8('x');
const nodes: hand.HandMadeFile['nodes'] = [['none', { data: 0 }]];

t.test('metadata is read with its types', (t) => {
  const file = hand.handMade({ nodes, data: X, ipVersion: 6, recordSize: 28 });
  const { metadata, markerOffset, end } = readMetadata(file);
  t.same(metadata, {
    nodeCount: 1,
    recordSize: 28,
    ipVersion: 6,
    buildEpoch: 1_760_000_000,
    databaseType: 'Test',
    languages: ['en'],
    description: { en: 'by hand' },
    binaryFormatMajorVersion: 2,
    binaryFormatMinorVersion: 0,
  });
  t.equal(markerOffset, 7 + 16 + X.length);
  t.equal(end, file.length);
  t.end();
});

t.test('the last marker is used, an earlier one is data', (t) => {
  const inData = Buffer.concat([hand.control(4, 14), Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')]);
  const file = hand.handMade({ nodes, data: inData });
  t.same(verifyMmdb(file).problems, []);
  t.same(readMmdb(file).records, [Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')]);
  t.end();
});

t.test('languages and description are optional', (t) => {
  const file = hand.handMade({ nodes, data: X, metadata: { languages: undefined, description: undefined } });
  const { metadata, absent } = readMetadata(file);
  t.same([metadata.languages, metadata.description], [[], {}]);
  t.same(absent, ['description', 'languages']);
  t.end();
});

t.test('unknown keys, an empty map at the end and the last date are legal', (t) => {
  const metadata = { build_epoch: hand.uint64(253_402_300_799n), zzz: hand.map() };
  const file = hand.handMade({ nodes, data: X, metadata });
  t.same(verifyMmdb(file).problems, []);
  t.equal(readMetadata(file).metadata.buildEpoch, 253_402_300_799);
  t.end();
});

t.test('a build epoch beyond dates is read, but not valid', (t) => {
  for (const epoch of [253_402_300_800n, 2n ** 63n, 2n ** 64n - 1n]) {
    const file = hand.handMade({ nodes, data: X, metadata: { build_epoch: hand.uint64(epoch) } });
    t.equal(readMetadata(file).metadata.buildEpoch, Number(epoch));
    const { problems } = verifyMmdb(file);
    t.same(
      problems.map(({ code, path }) => [code, path]),
      [['metadata', '/build_epoch']],
    );
    t.equal(
      problems[0]?.text,
      `${BigInt(Number(epoch))}: expected 0-253402300799, in seconds since 1970 (at most the year 9999)`,
    );
  }
  t.end();
});

t.test('pointers in the metadata count from its start', (t) => {
  const type = hand.map(['ip_version', hand.uint16(4)], ['t', hand.utf8('Points')]);
  const at = type.length - hand.utf8('Points').length;
  const inFront = { x: type, database_type: hand.pointer(1 + hand.utf8('x').length + at) };
  const base = hand.metadataTail(1, 24, 4, {});
  const marker = base.subarray(0, 14);
  const entries: [string, Buffer][] = [
    ...Object.entries(inFront),
    ['binary_format_major_version', hand.uint16(2)],
    ['binary_format_minor_version', hand.uint16(0)],
    ['build_epoch', hand.uint64(0)],
    ['ip_version', hand.uint16(4)],
    ['node_count', hand.uint32(1)],
    ['record_size', hand.uint16(24)],
  ];
  const file = hand.handMade({ nodes, data: X, tail: Buffer.concat([marker, hand.map(...entries)]) });
  t.equal(readMetadata(file).metadata.databaseType, 'Points');
  t.end();
});

t.test('the error for a wrong type names key and place', (t) => {
  const file = hand.handMade({ nodes, data: X, metadata: { node_count: hand.uint16(1) } });
  const { fault, path, found } = refusalOf(() => readMetadata(file));
  t.same([fault, path, found], ['metadata', '/node_count', 'type uint16: expected uint32']);
  t.end();
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../fixtures/open-file.js';
import type { FuzzInput } from '../../fuzz/target.js';
import * as hand from './hand-made.js';

const NAMES = hand.map(['en', hand.utf8('Köln')], ['zh-CN', hand.utf8('科隆')]);
const FIRST = hand.map(['id', hand.uint32(7)], ['names', NAMES]);
const SECOND = hand.map(
  [hand.pointer(1), hand.uint32(8)],
  ['names', hand.pointer(FIRST.length - NAMES.length)],
  ['at', hand.array(hand.double(-0), hand.boolean(true), hand.uint64(2n ** 64n - 1n))],
);

/** Two records, three networks, IPv4. */
const SMALL: hand.HandMadeFile = {
  nodes: [
    [{ node: 1 }, { data: 0 }],
    [{ data: 0 }, { data: FIRST.length }],
  ],
  data: Buffer.concat([FIRST, SECOND]),
};

/** 2^24 elements, which the file does not have. */
const HUGE = 16_000_000;

/**
 * Files that readers of other projects have failed on, of the same kinds as MaxMind's bad data
 * (https://github.com/maxmind/MaxMind-DB/tree/main/bad-data): pointer cycles, pointers past the end, deep nesting, huge
 * sizes, wrong node counts, odd metadata.
 */
const BAD: Readonly<Record<string, hand.HandMadeFile>> = {
  'pointer to itself': { ...SMALL, data: hand.pointer(0) },
  'pointer cycle': { ...SMALL, data: Buffer.concat([hand.pointer(2), hand.pointer(0)]) },
  'pointer cycle in a map': { ...SMALL, data: hand.map(['a', hand.pointer(0)]) },
  'pointer cycle in an array': { ...SMALL, data: hand.array(hand.pointer(0), hand.pointer(0)) },
  'pointer past the end': { ...SMALL, data: hand.map(['a', hand.pointer(100_000_000)]) },
  'pointers that double': { ...SMALL, data: doubling(28) },
  'deep arrays': { ...SMALL, data: hand.nested(3_000, hand.uint16(1)) },
  'deep maps': { ...SMALL, data: deepMaps(2_000) },
  'deep pointers': { ...SMALL, data: pointerChain(3_000) },
  'huge array': { ...SMALL, data: hand.control(11, HUGE) },
  'huge map': { ...SMALL, data: hand.control(7, HUGE) },
  'huge text': { ...SMALL, data: hand.control(2, HUGE) },
  'huge integer': { ...SMALL, data: hand.control(6, HUGE) },
  'unknown type': { ...SMALL, data: hand.control(25, 0) },
  'corrupt search tree': { ...SMALL, nodes: [[{ raw: 0xffffff }, { raw: 0xfffffe }]] },
  'tree cycle': { ...SMALL, nodes: [[{ node: 0 }, { node: 0 }]] },
  'tree of both families, cycle': { ...SMALL, nodes: hand.leftChain(96, { node: 3 }), ipVersion: 6 },
  'too many nodes': { ...SMALL, metadata: { node_count: hand.uint32(0xffffffff) } },
  'no nodes': { ...SMALL, metadata: { node_count: hand.uint32(0) } },
  'one node fewer': { ...SMALL, metadata: { node_count: hand.uint32(1) } },
  'record size 0': { ...SMALL, metadata: { record_size: hand.uint16(0) } },
  'IP version 0': { ...SMALL, metadata: { ip_version: hand.uint16(0) } },
  'build epoch beyond dates': { ...SMALL, metadata: { build_epoch: hand.uint64(2n ** 64n - 1n) } },
  'empty map last in metadata': { ...SMALL, metadata: { zz: hand.map() } },
  'empty array last in metadata': { ...SMALL, metadata: { zz: hand.array() } },
  'deep metadata': { ...SMALL, metadata: { description: hand.nested(3_000, hand.uint16(1)) } },
  'huge metadata': { ...SMALL, metadata: { languages: hand.control(11, HUGE) } },
  'metadata pointer cycle': { ...SMALL, metadata: { description: hand.pointer(0) } },
};

/** Returns valid files of every layout, damaged files, and each damaged file cut in its metadata. */
export function mmdbSeeds(): FuzzInput[] {
  const valid = ([24, 28, 32] as const).flatMap((recordSize) => [
    { name: `valid IPv4, ${recordSize} bits`, bytes: hand.handMade({ ...SMALL, recordSize }) },
    { name: `valid IPv6, ${recordSize} bits`, bytes: hand.handMade({ ...bothFamilies(), recordSize }) },
  ]);
  const golden = readFileSync(join(PROJECT_ROOT, 'fixtures/golden/small.mmdb'));
  const bad = Object.entries(BAD).map(([name, file]) => ({ name, bytes: hand.handMade(file) }));
  const whole = [...valid, { name: 'golden', bytes: golden }];
  const cut = whole.flatMap(({ name, bytes }) =>
    [1, 9, 40, 90].map((end) => ({ name: `${name}, cut`, bytes: bytes.subarray(0, -end) })),
  );
  // Valid files are mutated as often as damaged ones.
  return [...whole, ...bad, ...cut, ...whole, ...whole, ...whole];
}

/** ::/96 with the records of SMALL, and an alias of it. */
function bothFamilies(): hand.HandMadeFile {
  const chain = hand.leftChain(96, { node: 96 });
  const nodes: hand.HandMadeNode[] = [
    [chain[0]![0], { data: 0 }],
    ...chain.slice(1),
    [{ node: 97 }, { data: 0 }],
    [{ data: 0 }, { data: FIRST.length }],
  ];
  return { ...SMALL, nodes, ipVersion: 6 };
}

function deepMaps(levels: number): Buffer {
  const level = Buffer.concat([hand.control(7, 1), hand.utf8('a')]);
  return Buffer.concat([...Array<Buffer>(levels).fill(level), hand.uint16(1)]);
}

/** An array of two pointers to an array of two pointers …: 2^levels values when every pointer is followed. */
function doubling(levels: number): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (let level = 0; level < levels; level++) {
    const next = hand.pointer(at + hand.array(hand.pointer(at), hand.pointer(at)).length);
    const part = hand.array(next, next);
    parts.push(part);
    at += part.length;
  }
  return Buffer.concat([...parts, hand.uint16(1)]);
}

function pointerChain(length: number): Buffer {
  let at = 0;
  const links = Array.from({ length }, () => {
    const target = at + hand.control(11, 1).length + hand.pointer(at + 8).length;
    const link = Buffer.concat([hand.control(11, 1), hand.pointer(target)]);
    at += link.length;
    return link;
  });
  return Buffer.concat([...links, hand.uint16(1)]);
}

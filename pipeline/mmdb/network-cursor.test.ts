import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { formatPrefix } from '../net/prefix.js';
import { readMetadata } from './metadata.js';
import { MmdbError } from './mmdb-error.js';
import { AS_VALUES, FieldReader } from './field-reader.js';
import { NetworkCursor } from './network-cursor.js';
import { readMmdb } from './read.js';
import * as hand from './testing/hand-made.js';
import { leftChain } from './testing/hand-made.js';
import { layOut } from './tree-layout.js';

const layoutOf = (file: Buffer) => layOut(file, readMetadata(file));

function visited(file: Buffer): [string, number][] {
  const cursor = new NetworkCursor(layoutOf(file));
  const found: [string, number][] = [];
  while (cursor.next()) found.push([formatPrefix(cursor.address, cursor.length), cursor.offset]);
  return found;
}

t.test('the networks of a file are those of its table, in address order, without aliases', (t) => {
  const dir = join(PROJECT_ROOT, 'fixtures/golden');
  for (const name of readdirSync(dir).filter((name) => name.endsWith('.mmdb'))) {
    const file = readFileSync(join(dir, name));
    const { table, records } = readMmdb(file);
    const expected: [string, unknown][] = [];
    table.forEach((address, length, id) => expected.push([formatPrefix(address, length), records[id]]));
    const layout = layoutOf(file);
    const whole = new FieldReader(layout, [[]], AS_VALUES);
    const found = visited(file).map(([network, offset]) => {
      whole.read(offset);
      return [network, whole.values[0]];
    });
    t.ok(expected.length > 0);
    t.same(found, expected, name);
  }
  t.end();
});

t.test('an IPv4 file is visited at ::/96', (t) => {
  const file = hand.handMade({
    nodes: [
      [{ node: 1 }, { data: 2 }],
      ['none', { data: 0 }],
    ],
    data: Buffer.concat([hand.utf8('a'), hand.utf8('b')]),
  });
  t.same(visited(file), [
    ['64.0.0.0/2', 0],
    ['128.0.0.0/1', 2],
  ]);
  t.end();
});

t.test('a damaged tree is refused and never visited without end', (t) => {
  const refused = (nodes: readonly hand.HandMadeNode[], fault: string) => {
    const file = hand.handMade({ nodes: [...nodes], data: hand.utf8('a') });
    t.throws(() => visited(file), { name: 'MmdbError', fault }, fault);
  };
  refused([[{ node: 0 }, { node: 0 }]], 'node-shared');
  refused(leftChain(34, { data: 0 }), 'tree-depth');
  refused([[{ raw: 5 }, 'none']], 'record-range');
  t.end();
});

t.test('chosen fields are read, also behind pointers, and absent ones are absent', (t) => {
  const city = hand.map(['name', hand.utf8('Oslo')], ['id', hand.uint32(7)]);
  const list = hand.array(hand.uint16(1), hand.map(['x', hand.utf8('second')]));
  const record = hand.map(['skipped', hand.map(['a', list])], ['city', hand.pointer(0)], ['list', list]);
  const data = Buffer.concat([city, record, hand.map(['city', hand.pointer(0)])]);
  const paths = [
    ['city', 'name'],
    ['list', 1, 'x'],
    ['city', 'none'],
    ['city', 'id'],
    ['list', 'x'],
  ];
  const reader = new FieldReader({ data, dataStart: 0 }, paths, AS_VALUES);
  reader.read(city.length);
  t.same(reader.values, ['Oslo', 'second', undefined, 7, undefined]);
  reader.read(city.length + record.length);
  t.same(reader.values, ['Oslo', undefined, undefined, 7, undefined]);
  const loop = hand.map(['city', hand.pointer(0)]);
  const looping = new FieldReader({ data: loop, dataStart: 0 }, [Array<string>(70).fill('city')], AS_VALUES);
  t.throws(() => {
    looping.read(0);
  }, MmdbError);
  t.end();
});

import t from 'tap';
import { PATH_HAS_CONFEDERATION, PATH_HAS_SET } from './path-table.js';
import { DROPPED, sanitisePaths, type SanitiseOptions } from './sanitise-paths.js';
import { pathsOf } from './testing/inference.js';

const NONE: SanitiseOptions = { routeServers: new Set() };

function sanitise(lines: readonly string[], options = NONE, flags: readonly number[] = []) {
  const raw = { ...pathsOf(lines), flags: Uint8Array.from(lines, (_, i) => flags[i] ?? 0) };
  const { paths, becomes, counts } = sanitisePaths(raw, options);
  const kept = Array.from(paths.offsets.subarray(1), (end, i) =>
    paths.asns.subarray(paths.offsets[i], end).join(' '),
  );
  return { kept, becomes: [...becomes], counts };
}

t.test('prepends collapse, and equal results are one path', (t) => {
  const { kept, becomes, counts } = sanitise(['1 2 3', '1 1 2 3 3 3', '1 2 2 4']);
  t.same(kept, ['1 2 3', '1 2 4']);
  t.same(becomes, [0, 0, 1]);
  t.match(counts, { paths: 3, prepended: 2 });
  t.end();
});

t.test('paths with a set or a confederation are dropped, each for one reason', (t) => {
  const flags = [PATH_HAS_SET, PATH_HAS_CONFEDERATION, PATH_HAS_SET | PATH_HAS_CONFEDERATION];
  const { kept, becomes, counts } = sanitise(['1 2', '1 3', '1 1'], NONE, flags);
  t.same(kept, []);
  t.same(becomes, [DROPPED, DROPPED, DROPPED]);
  t.same(counts.dropped, { sets: 2, confederations: 1, loops: 0, reserved: 0, short: 0, poisoned: 0 });
  t.end();
});

t.test('route servers are removed, and the ASes around one become neighbours', (t) => {
  const { kept, counts } = sanitise(['1 4635 2', '1 4635 1 2', '4635 9'], {
    routeServers: new Set([4635]),
  });
  t.same(kept, ['1 2']);
  t.equal(counts.routeServers, 3);
  t.equal(counts.dropped.short, 1, 'the last path has one AS left');
  t.end();
});

t.test('equal ASes on both sides of route servers collapse and are not a loop', (t) => {
  const { kept, counts } = sanitise(['1 4635 1 2', '1 2 4635 6695 2 3', '1 4635 1 2 1'], {
    routeServers: new Set([4635, 6695]),
  });
  t.same(kept, ['1 2', '1 2 3']);
  t.equal(counts.dropped.loops, 1, 'only the last path');
  t.end();
});

t.test('an AS that occurs again after another one is a loop', (t) => {
  const { kept, counts } = sanitise(['1 2 1', '1 2 3 2 4', '1 2 3']);
  t.same(kept, ['1 2 3']);
  t.equal(counts.dropped.loops, 2);
  t.end();
});

t.test('a path with a reserved AS number is dropped, one with an adjacent number is kept', (t) => {
  const reserved = ['0', '23456', '64496', '64512', '65535', '65536', '131071', '4200000000', '4294967295'];
  const good = ['1', '23455', '64495', '131072', '199680', '262144', '394240', '4199999999'];
  const { kept, counts } = sanitise([...reserved, ...good].map((asn) => `7 ${asn}`));
  t.same(
    kept,
    good.map((asn) => `7 ${asn}`),
  );
  t.equal(counts.dropped.reserved, reserved.length);
  t.equal(
    sanitise(['7 394240'], { ...NONE, isReserved: (asn) => asn === 394240 }).counts.dropped.reserved,
    1,
  );
  t.end();
});

t.test('paths of one AS or none are too short', (t) => {
  const raw = { offsets: Uint32Array.of(0, 0, 1, 3), asns: Uint32Array.of(1, 5, 5) };
  t.equal(sanitisePaths(raw, NONE).counts.dropped.short, 3);
  t.end();
});

t.test('many long paths are kept distinct', (t) => {
  const lines = Array.from({ length: 5000 }, (_, i) =>
    Array.from({ length: 3 + (i % 90) }, (_, hop) => i * 5 + hop + 200000).join(' '),
  );
  const { kept, becomes } = sanitise([...lines, ...lines.toReversed()]);
  t.same(kept, lines);
  t.same(becomes.slice(5000), becomes.slice(0, 5000).toReversed());
  t.end();
});

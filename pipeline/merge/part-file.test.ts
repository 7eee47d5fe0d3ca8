import { join } from 'node:path';
import t from 'tap';
import { parsePrefix } from '../net/prefix.js';
import { divideSpace } from '../table/divide.js';
import { PrefixTable } from '../table/prefix-table.js';
import { dividedTable } from '../table/subtree.js';
import { joinParts } from './join-parts.js';
import { mergePart } from './merge-part.js';
import { readPart, writePart } from './part-file.js';
import { resolveClaims } from './resolved-claims.js';
import { NO_PLACES } from './testing/example-places.js';

t.test('parts are the same after they were written and read', (t) => {
  const dir = t.testdir();
  const table = new PrefixTable();
  for (const [id, text] of ['1.0.0.0/16', '1.128.0.0/9', '2.0.0.0/24', '2400::/32'].entries()) {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
  }
  const countries = ['FR', 'DE', 'FR', 'JP'].map((country) => ({ country }));
  const claims = resolveClaims('dbip', countries, NO_PLACES);
  const feed = { feed: 'dbip', table: dividedTable(table.flatten()), editions: [claims, undefined] } as const;
  let nodes = 0;
  const parts = divideSpace([feed.table], 3).map((part) =>
    mergePart([feed], part, (count) => (nodes += count)),
  );
  for (const edition of [0, 1]) {
    const read = parts.map((part, i) => {
      const path = join(dir, `${i}-${edition}`);
      writePart(path, part[edition]!);
      return readPart(path);
    });
    const joined = joinParts(read);
    const expected = joinParts(parts.map((part) => part[edition]!));
    t.strictSame(joined.table.slots, expected.table.slots);
    t.equal(joined.locations.length, expected.locations.length);
    t.equal(joined.locations.length, edition === 0 ? 3 : 0, 'locations of all parts are interned once');
    t.same(
      read.map(({ decisions }) => decisions),
      parts.map((part) => part[edition]!.decisions),
    );
  }
  t.ok(nodes > 0 && nodes <= feed.table.nodeCount, 'the nodes that were read are counted');
  t.end();
});

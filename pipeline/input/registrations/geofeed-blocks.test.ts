import t from 'tap';
import { formatIpv4, newAddress } from '../../net/address.js';
import { pseudoRandom } from '../../table/networks.fixture.js';
import { GeofeedReferences, spaceByUrl } from './geofeed-blocks.js';

/** A block of IPv4 addresses inside 5.0.0.0/16, both ends inclusive. */
interface Block {
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

const BASE = 0x0500_0000;

/** Divides a block at random into nested blocks, which are seldom prefixes. */
function nestedBlocks(random: (below: number) => number, depth: number, outer: Block): Block[] {
  const blocks = [outer];
  let next = outer.start + random(8);
  while (depth > 0 && next < outer.end) {
    const end = Math.min(outer.end, next + random(1 << (4 * depth)));
    const inner = { start: next, end, url: `https://operator-${random(9)}.example.net/` };
    // A block of the same size would be another registration of the outer block.
    if (end - next < outer.end - outer.start) blocks.push(...nestedBlocks(random, depth - 1, inner));
    next = end + 1 + random(16);
  }
  return blocks;
}

function shuffled<T>(all: readonly T[], random: (below: number) => number): T[] {
  const keyed = all.map((one) => ({ one, key: random(1 << 30) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
}

t.test('the geofeed of an address is that of the smallest block that contains it', (t) => {
  for (let seed = 1; seed <= 8; seed++) {
    const random = pseudoRandom(seed);
    const outer = { start: BASE, end: BASE + 0xffff, url: 'https://outer.example.net/' };
    const blocks = nestedBlocks(random, 3, outer);
    const references = new GeofeedReferences();
    const faults = shuffled(blocks, random).map(({ start, end, url }) => {
      return references.add({ network: `${formatIpv4(start)} - ${formatIpv4(end)}`, url });
    });
    t.same(new Set(faults), new Set([undefined]));
    const { table, urls } = references.blocks();
    const address = newAddress();
    for (let i = 0; i < 500; i++) {
      const at = BASE + random(0x1_0000);
      address[3] = at;
      const around = blocks.filter(({ start, end }) => start <= at && at <= end);
      const smallest = around.sort((a, b) => a.end - a.start - (b.end - b.start))[0]!;
      const found = urls[table.lookup(address)!.recordId]!.href;
      if (found !== smallest.url)
        t.fail(`seed ${seed}: ${formatIpv4(at)} has ${found}, expected ${smallest.url}`);
    }
    t.equal(
      spaceByUrl({ table, urls }).reduce((sum, space) => sum + space),
      0x1_0000,
    );
  }
  t.end();
});

t.test('the space of IPv6 is counted in networks of 48 bits', (t) => {
  const references = new GeofeedReferences();
  references.add({ network: '2a00:5::/32', url: 'https://a.example.net/' });
  references.add({ network: '2a00:5:1::/48', url: 'https://b.example.net/' });
  references.add({ network: '5.5.5.5', url: 'https://c.example.net/' });
  t.same(spaceByUrl(references.blocks()), [65_535, 1, 1]);
  t.end();
});

t.test('without references there are no blocks', (t) => {
  const { table, urls } = new GeofeedReferences().blocks();
  t.same([table.networkCount(), urls], [0, []]);
  t.end();
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ASN_SCHEMA } from '../../pipeline/mmdb/testing/record-schemas.js';
import { encodeMmdb } from '../../pipeline/mmdb/write.js';
import { ADDRESS_BITS, formatAddress, formatIpv4, parseAddress } from '../../pipeline/net/address.js';
import { currentRelease } from '../../pipeline/release/release-store.js';
import { pseudoRandom } from '../../pipeline/table/networks.fixture.js';
import { PrefixTable } from '../../pipeline/table/prefix-table.js';
import { SMALL } from '../testing/small-records.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { ZippedTrees, type AnswerTrees } from './answer-table.js';
import { MmdbTable } from './mmdb-table.js';

const outputDir = t.testdir();
await publishSmallRelease(outputDir, { ballast: 2000 });
const { dir } = (await currentRelease(outputDir))!;
const treeOf = (file: string): AnswerTrees['place'] => new MmdbTable(readFileSync(join(dir, file))).tree;
const TREES: AnswerTrees = {
  ...{ place: treeOf('geo.mmdb'), isp: treeOf('isp.mmdb') },
  ...{ announcer: treeOf('asn.mmdb'), route: treeOf('routes.mmdb') },
};

/** Returns addresses near those of the release and anywhere else, and the ends of IPv4. */
function addresses(count: number): string[] {
  const random = pseudoRandom(11);
  const bases = Object.values(SMALL).map((ip) => parseAddress(ip)!);
  const found = ['0.0.0.0', '255.255.255.255', '11.0.0.0', '11.0.255.255', '::', 'ffff::', '2001:db8::'];
  for (let i = 0; i < count; i++) {
    const { address, family } = bases[i % bases.length]!;
    const near = address.slice();
    const word = family === 4 ? 3 : i % 4;
    near[word] = (near[word]! ^ (random(2 ** 32) >>> (i % 32))) >>> 0;
    found.push(formatAddress(near, family), formatIpv4(random(2 ** 32)), `11.0.${i % 9}.${random(256)}`);
  }
  return found;
}

for (const missing of [undefined, 'place', 'route'] as const) {
  t.test(`an address has the records of the trees; without ${missing ?? 'nothing'}`, (t) => {
    const trees = { ...TREES, ...(missing && { [missing]: undefined }) };
    const zipped = new ZippedTrees(trees);
    const wrong = addresses(4000).filter((ip) => {
      const { place, isp, announcer, route } = zipped.find(ip);
      const wanted = [trees.place, trees.isp, trees.announcer, trees.route].map(
        (tree) => tree?.find(ip) ?? 0,
      );
      return [place, isp, announcer, route].join() !== wanted.join();
    });
    t.same(wrong, []);
    t.ok(addresses(10).some((ip) => zipped.find(ip).isp > 0));
    t.end();
  });
}

t.test('text that is no address has no record', (t) => {
  t.match(new ZippedTrees(TREES).find('8.8.8'), { place: 0, isp: 0, announcer: 0, route: 0 });
  t.end();
});

t.test('a /16 in which every address has a record of its own', (t) => {
  const table = new PrefixTable();
  for (let i = 0; i < 65_536; i++) table.insert(Uint32Array.of(0, 0, 0, 0xcb00_0000 + i), ADDRESS_BITS, i);
  const bytes = encodeMmdb({
    table: table.flatten(),
    records: Array.from({ length: 65_536 }, (_, i) => ({ autonomous_system_number: i + 1 })),
    schema: ASN_SCHEMA,
    databaseType: 'test',
    description: { en: 'test' },
    languages: [],
    ipVersion: 6,
    buildEpoch: 0,
  });
  const { tree } = new MmdbTable(bytes);
  const zipped = new ZippedTrees({ place: undefined, isp: tree, announcer: tree, route: undefined });
  for (const ip of ['203.0.0.0', '203.0.0.1', '203.0.127.255', '203.0.128.0', '203.0.255.255']) {
    const number = tree.find(ip)!;
    t.match(zipped.find(ip), { place: 0, isp: number, announcer: number, route: 0 }, ip);
  }
  t.match(zipped.find('203.1.0.0'), { isp: 0, announcer: 0 });
  t.end();
});

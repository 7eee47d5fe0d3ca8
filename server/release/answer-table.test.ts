import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { formatAddress, formatIpv4, parseAddress } from '../../pipeline/net/address.js';
import { currentRelease } from '../../pipeline/release/release-store.js';
import { pseudoRandom } from '../../pipeline/table/networks.fixture.js';
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

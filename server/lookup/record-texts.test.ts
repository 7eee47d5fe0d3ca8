import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { CountryNames } from '../../pipeline/record/language.js';
import { currentRelease } from '../../pipeline/release/release-store.js';
import { formatAddress, formatIpv4, parseAddress } from '../../pipeline/net/address.js';
import { pseudoRandom } from '../../pipeline/table/networks.fixture.js';
import { bytesOf } from '../byte-text.js';
import { loadRelease } from '../release/load-release.js';
import type { Snapshot } from '../release/snapshot.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import { parseTargetAddress } from '../targets/target.js';
import { SMALL } from '../testing/small-records.js';
import { publishSmallRelease } from '../testing/small-release.js';
import { IpRecords } from './ip-record.js';

const reserved = await readReservedSpace(
  fileURLToPath(new URL('../../../fixtures/feeds/iana', import.meta.url)),
);
const records = new IpRecords({ reserved, countries: new CountryNames() });

/** Returns the addresses whose text is not what JSON.stringify makes of their record, in both languages. */
function differing(snapshot: Snapshot, ips: Iterable<string>): string[] {
  const wrong: string[] = [];
  for (const ip of ips) {
    const address = parseTargetAddress(ip)!;
    for (const language of ['zh', 'en'] as const) {
      const text = bytesOf(records.textOf(address, snapshot, language)).toString();
      if (text !== JSON.stringify(records.recordOf(address, snapshot, language)))
        wrong.push(`${ip} ${language}`);
      const flat = bytesOf(records.flatTextOf(address, snapshot, language)).toString();
      if (flat !== JSON.stringify(records.flatRecordOf(address, snapshot, language)))
        wrong.push(`${ip} ${language} flat`);
    }
  }
  return wrong;
}

function* around(bases: readonly string[], count: number): Generator<string, void> {
  const random = pseudoRandom(5);
  for (const ip of bases) yield ip;
  for (let i = 0; i < count; i++) {
    const { address, family } = parseAddress(bases[i % bases.length]!)!;
    const word = family === 4 ? 3 : i % 4;
    address[word] = (address[word]! ^ (random(2 ** 32) >>> (i % 32))) >>> 0;
    yield formatAddress(address, family);
    yield formatIpv4(random(2 ** 32));
  }
}

t.test('the joined text is the encoded record, for random addresses in both languages', async (t) => {
  const outputDir = t.testdir();
  await publishSmallRelease(outputDir, { ballast: 2000 });
  const { dir } = (await currentRelease(outputDir))!;
  const snapshot = await loadRelease(dir);
  const ips = [...around([...Object.values(SMALL), '11.0.0.1', '127.0.0.1', '::1', '2001:db8::1'], 3000)];
  t.same(differing(snapshot, ips), []);
  t.same(differing(snapshot, ips), [], 'from the caches as well');
});

const RELEASE = process.env['RELEASE_TO_COMPARE'];
t.test(
  'the same for a million addresses of a release of one’s own (RELEASE_TO_COMPARE=folder)',
  { skip: RELEASE === undefined || !existsSync(RELEASE) },
  async (t) => {
    t.setTimeout(1_800_000);
    const snapshot = await loadRelease(realpathSync(RELEASE!));
    t.same(differing(snapshot, around([...Object.values(SMALL)], 500_000)), []);
  },
);

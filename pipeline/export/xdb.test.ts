import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IPv4, IPv6, Searcher } from 'ip2region.js';
import * as ip2region from 'ip2region.js';
import { Reader, type Response } from 'maxmind';
import t, { type Test } from 'tap';
import { ISP_DATABASE_TYPE, ISP_SCHEMA } from '../isp/isp-record.js';
import { CITY_SCHEMA } from '../merge/city-record.js';
import { formatAddress, newAddress, type Family } from '../net/address.js';
import { formatPrefix, lastAddressInto, maskInto, parsePrefix } from '../net/prefix.js';
import { decrement, increment } from '../net/range.js';
import { openDataset } from './dataset.js';
import type { ExportSource } from './export-source.js';
import { networksOf } from './networks.js';
import { writeDataset, writeDatasets } from './testing/small-datasets.js';
import { exportXdb } from './xdb.js';

const dir = t.testdir();
writeDatasets(dir);

async function sourceOf(folder: string, withIsp = true): Promise<ExportSource> {
  const dataset = await openDataset(join(folder, 'geo.mmdb'));
  const networks = () => networksOf(dataset);
  if (!withIsp) return { dataset, networks };
  const isp = await openDataset(join(folder, 'isp.mmdb'));
  return { dataset, networks, beside: { dataset: isp, networks: () => networksOf(isp) } };
}

/** Opens a file with each of the three cache policies of ip2region.js. */
function searchersOf(t: Test, path: string, family: Family): Searcher[] {
  const version = family === 4 ? IPv4 : IPv6;
  t.equal(ip2region.versionFromHeader(ip2region.loadHeaderFromFile(path))?.id, family);
  const searchers = [
    ip2region.newWithFileOnly(version, path),
    ip2region.newWithVectorIndex(version, path, ip2region.loadVectorIndexFromFile(path)),
    ip2region.newWithBuffer(version, ip2region.loadContentFromFile(path)),
  ];
  t.teardown(() => {
    for (const searcher of searchers.slice(0, 2)) searcher.close();
  });
  return searchers;
}

/** Returns the answer that all searchers give. Their types say that `search` returns text; it returns a promise. */
async function answer(t: Test, searchers: readonly Searcher[], ip: Buffer): Promise<string> {
  const answers = new Set<string>();
  for (const searcher of searchers) answers.add(await Promise.resolve(searcher.search(ip)));
  if (answers.size !== 1) t.fail(`the policies disagree about ${ip.toString('hex')}`);
  return [...answers][0]!;
}

t.test('a region has the names, the ISP and the country code; an unknown part is 0', async (t) => {
  const out = join(dir, 'geo-xdb');
  const written = await exportXdb(await sourceOf(dir), out);
  t.same(
    written.map(({ path, rows }) => [path, rows]),
    [
      [join(out, 'geo_v4.xdb'), 8],
      [join(out, 'geo_v6.xdb'), 3],
      [join(out, 'LICENSE.txt'), 0],
    ],
  );
  const v4 = searchersOf(t, join(out, 'geo_v4.xdb'), 4);
  const expected: Readonly<Record<string, string>> = {
    '1.0.0.0': '中国|江苏省|南京市|0|CN',
    '1.0.1.255': '中国|0|0|0|CN',
    '8.8.8.127': '美国|0|0|Google|US',
    '8.8.8.128': '美国|0|0|0|US',
    '8.8.9.0': '美国|0|0|X|US',
    '0.0.0.0': '',
    '1.0.3.0': '',
    '8.9.0.0': '',
    '255.255.255.255': '',
  };
  for (const [ip, region] of Object.entries(expected))
    t.equal(await answer(t, v4, ip2region.parseIP(ip)), region, ip);
  const v6 = searchersOf(t, join(out, 'geo_v6.xdb'), 6);
  t.equal(await answer(t, v6, ip2region.parseIP('240e:0:1:2:3:4:5:6')), '中国|0|0|电信|CN');
  t.equal(await answer(t, v6, ip2region.parseIP('240e:fff:1:2:3:4:5:6')), '中国|0|0|0|CN');
  t.equal(await answer(t, v6, ip2region.parseIP('240e:1000:1:2:3:4:5:6')), '');
});

t.test('names are English on request, and the ISP is unknown without isp.mmdb', async (t) => {
  const out = join(dir, 'en-xdb');
  await exportXdb(await sourceOf(dir, false), out, 'en');
  const searchers = searchersOf(t, join(out, 'geo_v4.xdb'), 4);
  t.equal(await answer(t, searchers, ip2region.parseIP('1.0.0.1')), 'China|Jiangsu|Nanjing, "南京"|0|CN');
  t.equal(await answer(t, searchers, ip2region.parseIP('8.8.8.8')), 'United States|0|0|0|US');
});

t.test('the files and LICENSE.txt have the terms', async (t) => {
  const out = join(dir, 'terms-xdb');
  await exportXdb(await sourceOf(dir), out);
  for (const name of ['geo_v4.xdb', 'geo_v6.xdb', 'LICENSE.txt'])
    t.match(readFileSync(join(out, name), 'utf8'), 'Attribution: Data of publisher 1', name);
});

t.test('a dataset without places is refused', async (t) => {
  const dataset = await openDataset(join(dir, 'asn.mmdb'));
  const source = { dataset, networks: () => networksOf(dataset) };
  await t.rejects(exportXdb(source, join(dir, 'asn-xdb')), /asn\.mmdb has no countries, .*: expected geo/);
});

/** A generator of numbers from 0 to below `limit` (Numerical Recipes' linear congruence). */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Returns random networks of both families, some of which are inside others, with records by their number. */
function randomNetworks(next: (limit: number) => number, record: (i: number) => object) {
  const networks: Record<string, object> = {};
  for (let i = 0; i < 1500; i++) {
    const address = newAddress();
    const isIpv4 = i % 2 === 0;
    // Few leading bits vary, so that networks are neighbours and nest.
    if (isIpv4) address[3] = ((1 + next(3)) << 24) | (next(4) << 16) | next(65_536);
    else address.set([(0x24000000 | next(8 << 16)) >>> 0, next(2 ** 32), 0, 0]);
    const length = isIpv4 ? 96 + 12 + next(21) : 12 + next(53);
    maskInto(address, length);
    networks[formatPrefix(address, length)] = record(next(40));
  }
  return networks;
}

type Parts = Readonly<{ country?: { iso_code: string }; city?: { names: { en: string } }; isp?: string }>;

t.test('ip2region.js finds what a reader of the MMDB files finds, at bounds and anywhere', async (t) => {
  const folder = join(dir, 'random');
  mkdirSync(folder);
  const next = numbers(18);
  const places = randomNetworks(next, (i) => ({
    country: { iso_code: 'CN', names: { en: `Country ${i % 3}` } },
    ...(i % 4 === 0 ? {} : { city: { names: { en: `City ${i}` } } }),
  }));
  const isps = randomNetworks(next, (i) => ({ isp: `ISP ${i % 9}` }));
  writeDataset(folder, { name: 'geo.mmdb', type: 'ipatlas-City', schema: CITY_SCHEMA, networks: places });
  writeDataset(folder, { name: 'isp.mmdb', type: ISP_DATABASE_TYPE, schema: ISP_SCHEMA, networks: isps });
  const [geo, isp] = ['geo', 'isp'].map(
    (name) => new Reader<Response>(readFileSync(join(folder, `${name}.mmdb`))),
  );
  await exportXdb(await sourceOf(folder), join(folder, 'xdb'), 'en');
  const searchers = {
    4: searchersOf(t, join(folder, 'xdb/geo_v4.xdb'), 4),
    6: searchersOf(t, join(folder, 'xdb/geo_v6.xdb'), 6),
  };
  let compared = 0;
  let found = 0;
  for (const network of [...Object.keys(places), ...Object.keys(isps)]) {
    const { address, length } = parsePrefix(network)!;
    const family = network.includes(':') ? 6 : 4;
    for (const one of addressesOf(address, length)) {
      const bytes = Buffer.alloc(16);
      one.forEach((word, i) => bytes.writeUInt32BE(word, i * 4));
      const text = formatAddress(one, family);
      const [place, operator] = [geo!.get(text), isp!.get(text)] as (Parts | null)[];
      const expected = place
        ? `Country ${(place.country as unknown as { names: { en: string } }).names.en.slice(8)}|0|${place.city?.names.en ?? '0'}|${operator?.isp ?? '0'}|CN`
        : '';
      const actual = await answer(t, searchers[family], family === 4 ? bytes.subarray(12) : bytes);
      if (actual !== expected) t.equal(actual, expected, text);
      compared++;
      if (place && operator) found++;
    }
  }
  t.ok(compared > 10_000 && found > 1000, `${compared} addresses, ${found} of them in both files`);
});

/** The first and the last address of a network, those beside them, and one inside. */
function addressesOf(first: Uint32Array, length: number): Uint32Array[] {
  const last = newAddress();
  lastAddressInto(first, length, last);
  const before = first.slice();
  decrement(before);
  const after = last.slice();
  increment(after);
  const inside = first.map((word, i) => (word | (last[i]! & 0x5a5a5a5a)) >>> 0);
  return [first, last, before, after, inside];
}

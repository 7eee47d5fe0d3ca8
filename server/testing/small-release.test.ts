import { statSync } from 'node:fs';
import { join } from 'node:path';
import { open, type Response } from 'maxmind';
import t from 'tap';
import { currentRelease } from '../../pipeline/release/release-store.js';
import { verifyRelease } from '../../pipeline/release/verify-release.js';
import { SMALL, SMALL_AS, smallRecords } from './small-records.js';
import { publishSmallRelease } from './small-release.js';
import { formatIpv4 } from '../../pipeline/net/address.js';

t.test('a small release is complete and current immediately', async (t) => {
  const outputDir = t.testdir();
  const id = await publishSmallRelease(outputDir);
  const release = (await currentRelease(outputDir))!;
  t.equal(release.id, id);
  t.same(await verifyRelease(release.dir), release.manifest);
  t.equal(release.manifest.files.length, 12);
  t.equal((await place(release.dir, SMALL.google)).city.names.en, 'Mountain View');
});

t.test('the addresses in SMALL have the described records', async (t) => {
  const outputDir = t.testdir();
  await publishSmallRelease(outputDir);
  const { dir } = (await currentRelease(outputDir))!;
  const read = async (file: string, ip: string): Promise<unknown> => (await open(join(dir, file))).get(ip);
  for (const file of ['geo.mmdb', 'isp.mmdb', 'asn.mmdb', 'routes.mmdb']) {
    t.equal(await read(file, SMALL.unknown), null);
    t.equal(await read(file, SMALL.unknownV6), null);
    t.equal(await read(file, SMALL.reserved), null);
    t.ok(await read(file, SMALL.google));
    t.ok(await read(file, SMALL.googleV6));
  }
  t.match(await read('geo.mmdb', SMALL.equator), { location: { latitude: 0, longitude: 0 } });
  t.match(await read('isp.mmdb', SMALL.vpn), { is_anonymous: true, proxy: { type: 'VPN', fraud_score: 74 } });
  t.match(await read('isp.mmdb', SMALL.tor), { is_tor_exit_node: true, proxy: { fraud_score: 0 } });
  t.notMatch(await read('isp.mmdb', SMALL.cloud), { is_anonymous: true });
  t.match(await read('routes.mmdb', SMALL.google), { parent: { prefix: '8.0.0.0/9' }, rpki: 'valid' });
  t.match(await read('routes.mmdb', SMALL.moas), { origin: 13335, origins: [{ asn: 13335 }, { asn: 4134 }] });
  t.notMatch(await read('routes.mmdb', SMALL.exchange), { prefix: /./ });
  for (const asn of Object.values(SMALL_AS)) {
    const network = await read('networks.mmdb', formatIpv4(asn));
    if (asn === SMALL_AS.unknown) t.equal(network, null);
    else t.match(network, { asn });
  }
});

t.test(
  'the marker is appended to the names of a release, and releases with different markers differ',
  async (t) => {
    const outputDir = t.testdir();
    const first = await publishSmallRelease(outputDir);
    const second = await publishSmallRelease(outputDir, { marker: 'two' });
    t.not(first, second);
    const { dir } = (await currentRelease(outputDir))!;
    t.match(await place(dir, SMALL.google), {
      city: { names: { en: 'Mountain View two', 'zh-CN': '山景城 two' } },
      country: { names: { en: 'United States' } },
    });
    const { networks, peering, verdicts, isp } = smallRecords('two');
    t.equal(networks[0]!.name, 'LEVEL3 two');
    t.ok(peering.nets.every(({ name }) => name.endsWith(' two')));
    t.match(verdicts.get('own')![0]![1], { isp: 'Google two', country: 'US' });
    t.match(isp[0]![1], { isp_names: { 'zh-CN': '谷歌 two' }, usage_type: 'DCH' });
  },
);

t.test('datasets and files can be left out, cities added', async (t) => {
  const outputDir = t.testdir();
  await publishSmallRelease(outputDir, { datasets: ['geo'], without: ['download/geo.mmdb'], ballast: 2000 });
  const { dir, manifest } = (await currentRelease(outputDir))!;
  t.same(
    manifest.files.map(({ name }) => name),
    ['geo.mmdb', 'sources/own.mmdb', 'sources/geolite2.mmdb', 'sources/dbip.mmdb', 'sources/ip2region.mmdb'],
  );
  t.ok(statSync(join(dir, 'geo.mmdb')).size > 200_000);
});

/** Returns a record of geo.mmdb. The caller knows which names it has. */
async function place(dir: string, ip: string): Promise<{ city: { names: { en: string } } }> {
  const reader = await open<Response>(join(dir, 'geo.mmdb'));
  return reader.get(ip) as unknown as { city: { names: { en: string } } };
}

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Reader } from 'maxmind';
import t, { type Test } from 'tap';
import { readMmdbFile } from '../mmdb/read.js';
import type { ManifestRefusal } from '../release/contract.js';
import { verifyRelease } from '../release/verify-release.js';
import {
  build,
  copyFeeds,
  copyOutput,
  ipatlas,
  outputFolder,
  served,
  unfinished,
} from './testing/command-line.js';
import { verifyFile } from './verify.js';

const BUILD_FEEDS = 'own,geolite2,rib,iana,asnames,tor,x4bnet,cloudflare,fastly';
const EPOCH = '1795046400';

/** The fields of a record that the tests read. */
interface ServiceRecord {
  readonly is_anonymous?: boolean;
  readonly is_tor_exit_node?: boolean;
  readonly autonomous_system_number?: number;
  readonly proxy?: { readonly type?: string };
  readonly cloud?: { readonly provider?: string };
}

const lines = (rows: readonly string[]): string => `${rows.join('\n')}\n`;
const counted = (count: number, row: (n: number) => string): string =>
  lines(Array.from({ length: count }, (_, n) => row(n + 1)));

/** Tor exits, VPN ranges and CDN edges, with the publishers' file names and formats. */
const EXITS = 'tor/torbulkexitlist';
const VPNS = 'x4bnet/vpn/ipv4.txt';
const EDGES = 'cloud/ips-v4';
const GOOD: Readonly<Record<string, string>> = {
  [EXITS]: counted(60, (n) => `185.220.101.${n}`),
  [VPNS]: counted(20, (n) => `193.32.${n}.0/24`),
  [EDGES]: lines([
    '104.16.0.0/13',
    '172.64.0.0/13',
    ...Array.from({ length: 10 }, (_, n) => `103.21.${n}.0/24`),
  ]),
  'cloud/public-ip-list': JSON.stringify({
    addresses: ['151.101.0.0/16'],
    ipv6_addresses: ['2a04:4e40::/32'],
  }),
};

/** A copy of the bundled feeds with these lists only. */
function feedsWith(t: Test, lists: Readonly<Record<string, string>>): string {
  const dir = copyFeeds(t);
  for (const folder of ['tor', 'x4bnet', 'cloud'])
    rmSync(join(dir, folder), { recursive: true, force: true });
  for (const [file, text] of Object.entries(lists)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  return dir;
}

function openIsp(outputDir: string, name = 'isp.mmdb'): (ip: string) => ServiceRecord | undefined {
  const bytes = readFileSync(join(outputDir, 'current', name));
  const reader = new Reader<ServiceRecord & { readonly isp: string }>(bytes);
  return (ip) => reader.get(ip) ?? undefined;
}

const FEEDS = feedsWith(t, GOOD);
const OUTPUT = outputFolder(t);
const settings = { BUILD_FEEDS, FEEDS, OUTPUT, SOURCE_DATE_EPOCH: EPOCH };
const first = await build(t, settings);

t.test('lists become the ISP datasets, next to the other datasets', async (t) => {
  const { dir, manifest } = await served(OUTPUT);
  await verifyRelease(dir);
  const { geo, routing, isp } = manifest.datasets!;
  t.ok(geo!.files.includes('geo.mmdb'));
  t.ok(routing!.files.includes('asn.mmdb'));
  t.same(isp!.files, ['isp.mmdb', 'download/isp.mmdb', 'evidence.mmdb']);
  t.match(isp!.counters, { 'types.TOR.ipv4Addresses': 60, 'types.VPN.networks': Number });
  for (const { name, passed, found } of manifest.gates) t.ok(passed, `${name}: ${found}`);
  t.ok(manifest.gates.some(({ name }) => name === 'proxies'));
  const evidence = manifest.files.find(({ name }) => name === 'evidence.mmdb')!;
  t.match(evidence, { kind: 'evidence', sources: ['tor', 'x4bnet', 'cloudflare', 'fastly', 'rib'] });
  t.match(first.stdout, /^tor +60 +0 +\d+$/m);
  t.match(first.stdout, /^proxies: \d+ networks, 5,180 IPv4 addresses/m);
  t.match(first.stdout, /^ {2}IPv4 addresses by cloud: .*Cloudflare/m);
  t.same(unfinished(OUTPUT), []);
});

t.test('a Tor exit is a proxy, a CDN edge and a public resolver are not', (t) => {
  for (const name of ['isp.mmdb', 'download/isp.mmdb']) {
    const get = openIsp(OUTPUT, name);
    t.match(get('185.220.101.7'), { is_anonymous: true, is_tor_exit_node: true, proxy: { type: 'TOR' } });
    t.match(get('193.32.7.1'), { is_anonymous: true, proxy: { type: 'VPN' } });
    t.match(get('104.16.0.1'), { cloud: { provider: 'Cloudflare' }, is_anonymous: undefined });
    t.match(get('8.8.8.8'), { autonomous_system_number: 15169, is_anonymous: undefined });
  }
  t.end();
});

t.test('inspect shows the listings of each list', async (t) => {
  const { stdout } = await ipatlas(t, { OUTPUT }, 'inspect', '185.220.101.7');
  t.match(stdout, /^proxy +yes, TOR, /m);
  t.match(stdout, /^tor +TOR .* type /m);
  for (const name of ['isp.mmdb', 'evidence.mmdb']) {
    t.match(await verifyFile(join(OUTPUT, 'current', name)), { problemCount: 0 }, name);
  }
});

t.test('a build with unchanged inputs publishes nothing', async (t) => {
  const before = await served(OUTPUT);
  const { stdout, stderr } = await build(t, settings);
  t.match(stderr, `compile:isp: unchanged: release ${before.id}`);
  t.match(stdout, `Nothing new: release ${before.id} has the same inputs`);
});

t.test(
  'lists that shrank, grew tenfold, are nested too deep or cover the internet are replaced by their last good copies',
  async (t) => {
    const other = copyOutput(t, OUTPUT);
    const bad: Readonly<Record<string, readonly [string, ManifestRefusal['refusal'], RegExp]>> = {
      [EXITS]: [counted(29, (n) => `185.220.101.${n}`), 'shrunk', /29 rows; the last good copy had 60/],
      [EDGES]: [counted(121, (n) => `104.${n}.0.0/24`), 'grown', /121 rows; the last good copy had 12/],
      [VPNS]: [`${GOOD[VPNS]!}0.0.0.0/0\n`, 'too-wide', /0\.0\.0\.0\/0/],
      'cloud/public-ip-list': ['['.repeat(1_000_000), 'too-deep', /JSON nested deeper than 64/],
    };
    const texts = Object.entries(bad).map(([file, [text]]) => [file, text]);
    const feeds = feedsWith(t, Object.fromEntries(texts) as Record<string, string>);
    const { code, stdout, stderr } = await ipatlas(t, { ...settings, FEEDS: feeds, OUTPUT: other }, 'build');
    t.equal(code, 3, 'exit code', { stderr });
    const { dir, manifest } = await served(other);
    const refusals = manifest.inputs.flatMap((input) => input.refusals);
    t.equal(refusals.length, 4);
    for (const [file, [, refusal, found]] of Object.entries(bad)) {
      t.match(
        refusals.find((one) => one.file === file),
        { refusal, found, usedInstead: 'last good copy' },
      );
      t.match(stdout, `REFUSED ${file}: ${refusal}: `);
    }
    const dirs = [(await served(OUTPUT)).dir, dir];
    const [before, after] = dirs.map((one) => readMmdbFile(join(one, 'isp.mmdb')));
    t.same(after!.records, before!.records, 'the same answers');
    t.same(after!.table.slots, before!.table.slots, 'for the same networks');
    const { stdout: inspected } = await ipatlas(t, { OUTPUT: other }, 'inspect', '185.220.101.45');
    t.match(inspected, /^proxy +yes, TOR/m);
    t.match(inspected, `refused for this release: ${EXITS}: shrunk: `);
  },
);

t.test('a threefold number of proxies stops the publication until the gate is accepted', async (t) => {
  const other = copyOutput(t, OUTPUT);
  const lists = { ...GOOD, [VPNS]: counted(60, (n) => `193.32.${n}.0/24`) };
  const night = { ...settings, FEEDS: feedsWith(t, lists), OUTPUT: other };
  const before = await served(other);
  const { code, stderr } = await ipatlas(t, night, 'build');
  t.equal(code, 1);
  t.match(stderr, /gate "proxies": proxy addresses 15,420 \(297\.7 % of 5,180\)/);
  t.equal((await served(other)).id, before.id);
  const accepted = await ipatlas(t, night, 'build', '--accept', 'proxies');
  t.equal(accepted.code, 0, 'exit code', { stderr: accepted.stderr });
  const { stdout } = await ipatlas(t, { OUTPUT: other }, 'compare', before.id, 'current');
  t.match(stdout, /^VPN +\+10,240 +0 +15,360 /m);
});

t.test('with RELAYS_ARE_PROXIES=no relays keep their type and are not proxies', async (t) => {
  const relays = {
    'apple-relay/egress-ip-ranges.csv': counted(20, (n) => `172.224.226.${n}/32,GB,GB-EN,London,`),
  };
  const night = {
    ...settings,
    FEEDS: feedsWith(t, { [EXITS]: GOOD[EXITS]!, ...relays }),
    OUTPUT: outputFolder(t),
    BUILD_FEEDS: 'own,geolite2,tor,apple-relay',
  };
  await build(t, night);
  const relay = { proxy: { type: 'CPN', provider: 'Apple iCloud Private Relay' } };
  t.match(openIsp(night.OUTPUT)('172.224.226.7'), { is_anonymous: true, ...relay });
  const before = await served(night.OUTPUT);
  const turned = await ipatlas(t, { ...night, RELAYS_ARE_PROXIES: 'no' }, 'build', '--accept', 'proxies');
  t.equal(turned.code, 0, 'exit code', { stderr: turned.stderr });
  const { id, manifest } = await served(night.OUTPUT);
  t.not(id, before.id, 'equal lists, other records');
  t.equal(manifest.datasets!.geo!.key, before.manifest.datasets!.geo!.key);
  for (const name of ['isp.mmdb', 'download/isp.mmdb']) {
    const get = openIsp(night.OUTPUT, name);
    t.match(get('185.220.101.7'), { is_anonymous: true, proxy: { type: 'TOR' } });
    if (name === 'isp.mmdb') t.match(get('172.224.226.7'), { is_anonymous: undefined, ...relay });
  }
});

t.test('without any list geolocation is built as usual, with exit code 0', async (t) => {
  const other = outputFolder(t);
  const night = { FEEDS: feedsWith(t, {}), OUTPUT: other, BUILD_FEEDS: 'own,geolite2,tor,cloudflare' };
  const { stdout, stderr } = await build(t, night);
  t.match(stderr, /Z compile:isp: isp\.mmdb is not built: no list of proxies or clouds is usable$/m);
  t.notMatch(stdout, /REFUSED|proxies/);
  const { manifest } = await served(other);
  t.same(manifest.datasets!.isp!.files, []);
  t.notOk(manifest.inputs.some(({ feed }) => feed === 'tor'));
});

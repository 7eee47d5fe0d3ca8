import { appendFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Reader, type AsnResponse } from 'maxmind';
import t from 'tap';
import { readRoutes } from './comparison-readers.js';
import { OBSERVING_IDS } from '../registry/observing-sources.js';
import { ROUTING_SOURCES } from '../snapshot/routing-sources.js';
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

const SOURCES = ROUTING_SOURCES.map(({ id }) => id);
const BUILD_FEEDS = ['own', 'geolite2', ...SOURCES].join(',');
/** The same without the sources of observed ASes. */
const WITHOUT_OBSERVED = ['own', ...SOURCES.filter((id) => !OBSERVING_IDS.includes(id))].join(',');
const EPOCH = '1795046400';

const FEEDS = copyFeeds(t);
const OUTPUT = outputFolder(t);
const settings = { BUILD_FEEDS, FEEDS, OUTPUT };
const first = await build(t, { ...settings, SOURCE_DATE_EPOCH: EPOCH });
const FILES = ['asn.mmdb', 'download/asn.mmdb', 'routes.mmdb', 'networks.mmdb', 'peering.json'];

function openAsn(
  outputDir: string,
  name: string,
): Reader<AsnResponse & { as_domain?: string; as_source?: string }> {
  return new Reader(readFileSync(join(outputDir, 'current', name)));
}

t.test('a build compiles the routing datasets next to geolocation, and summarises them', async (t) => {
  const { manifest } = await served(OUTPUT);
  const { geo, routing } = manifest.datasets!;
  t.same(routing!.files, FILES);
  t.ok(geo!.files.includes('geo.mmdb'));
  for (const { name, passed, found } of manifest.gates) t.ok(passed, `${name}: ${found}`);
  t.match(first.stdout, /^rib +[\d,]+ +0$/m);
  t.match(first.stdout, /^routing table: 2 collectors, \d+ peers in \d+ ASes, [\d,]+ entries/m);
  t.match(first.stdout, /^ {2}RPKI: valid \d/m);
  t.match(first.stdout, /^peering\.json /m);
  t.ok(routing!.counters['routes.ipv4']! > 100);
  t.match(
    routing!.counters,
    { 'routes.moas': 2, 'paths.routeServers': 21 },
    'what was made up on purpose is there',
  );
  t.same(unfinished(OUTPUT), []);
});

t.test('a GeoLite2 ASN client reads asn.mmdb, and finds no record in private space', (t) => {
  const [full, open] = ['asn.mmdb', 'download/asn.mmdb'].map((name) => openAsn(OUTPUT, name));
  t.match(full!.get('8.8.8.8'), {
    autonomous_system_number: 15169,
    autonomous_system_organization: String,
    as_domain: String,
  });
  t.match(open!.get('8.8.8.8'), { autonomous_system_number: 15169, as_domain: undefined });
  for (const reader of [full!, open!]) t.equal(reader.get('10.0.0.1'), null);
  t.end();
});

t.test('an address that no collector sees has the observed AS, but not in the download', async (t) => {
  const [full, open] = ['asn.mmdb', 'download/asn.mmdb'].map((name) => openAsn(OUTPUT, name));
  const xk = '91.187.98.1';
  t.match(full!.get('132.248.1.1'), { autonomous_system_number: 278, as_source: 'geolite2' });
  t.match(full!.get(xk), { autonomous_system_number: 21246, as_source: 'ipinfo', as_domain: 'ipko.com' });
  t.notOk('as_source' in full!.get('8.8.8.8')!, 'a route wins');
  t.match(full!.get('114.114.114.114'), { autonomous_system_number: 174 }, 'GeoLite2 before IPinfo');
  for (const address of [xk, '132.248.1.1']) t.equal(open!.get(address), null);
  t.equal(full!.get('198.18.0.1'), null, 'reserved space in an observed network');
  t.match(first.stdout, /^ASes of IPv4 addresses: routes [\d,]+, geolite2 [\d,]+, ipinfo [\d,]+$/m);
  const { manifest } = await served(OUTPUT);
  const sourcesOf = (name: string) => manifest.files.find((file) => file.name === name)!.sources;
  for (const id of OBSERVING_IDS) {
    for (const name of ['asn.mmdb', 'routes.mmdb', 'networks.mmdb']) t.ok(sourcesOf(name).includes(id), name);
    t.notOk(sourcesOf('download/asn.mmdb').includes(id));
  }
});

t.test('announced reserved space is dropped also without files of IANA', async (t) => {
  const output = outputFolder(t);
  const feeds = copyFeeds(t);
  rmSync(join(feeds, 'iana'), { recursive: true });
  await build(t, { FEEDS: feeds, OUTPUT: output, BUILD_FEEDS: 'own,rib' });
  for (const name of ['asn.mmdb', 'download/asn.mmdb']) {
    const reader = openAsn(output, name);
    t.match(reader.get('8.8.8.8'), { autonomous_system_number: 15169 });
    for (const reserved of ['10.0.0.1', '2001:db8::1']) t.equal(reader.get(reserved), null, reserved);
  }
});

t.test('closed data is in no download unless named', async (t) => {
  const sourcesOf = async (outputDir: string): Promise<readonly string[]> => {
    const { manifest } = await served(outputDir);
    const file = manifest.files.find(({ name }) => name === 'download/asn.mmdb')!;
    const terms = manifest.inputs
      .filter(({ feed }) => file.sources.includes(feed))
      .map(({ licence }) => licence.terms);
    if (outputDir === OUTPUT) t.same(new Set(terms), new Set(['free']));
    return file.sources;
  };
  t.notOk((await sourcesOf(OUTPUT)).includes('peeringdb'));
  const other = copyOutput(t, OUTPUT);
  await build(t, { ...settings, OUTPUT: other, DATASET_FEEDS: 'own,peeringdb' });
  t.ok((await sourcesOf(other)).includes('peeringdb'));
  t.match(openAsn(other, 'download/asn.mmdb').get('8.8.8.8'), { as_domain: String });
});

t.test('a build with new AS names only reuses geolocation from the last release', async (t) => {
  const other = copyOutput(t, OUTPUT);
  const before = await served(other);
  const feeds = copyFeeds(t);
  appendFileSync(join(feeds, 'asnames/asn.txt'), '64999 NEWCOMER Newcomer Ltd, DE\n');
  const { stderr } = await build(t, { ...settings, FEEDS: feeds, OUTPUT: other });
  t.match(stderr, `find:geo: unchanged: release ${before.id}`);
  const after = await served(other);
  t.not(after.id, before.id);
  await verifyRelease(after.dir);
  const [old, now] = [before, after].map(({ dir }) => statSync(join(dir, 'geo.mmdb')).ino);
  t.equal(now, old, 'the same file');
  t.not(statSync(join(after.dir, 'asn.mmdb')).ino, statSync(join(before.dir, 'asn.mmdb')).ino);
  const { stdout } = await ipatlas(t, { OUTPUT: other }, 'compare', before.id, 'current');
  t.match(stdout, /^appeared +0$/m);
  t.match(stdout, /^changed origin +0$/m);
  t.equal((await ipatlas(t, { OUTPUT: other }, 'rollback')).code, 0);
  t.equal((await served(other)).id, before.id);
});

t.test('the last dump of a missing collector is used and reported', async (t) => {
  const other = copyOutput(t, OUTPUT);
  const feeds = copyFeeds(t);
  rmSync(join(feeds, 'rib/rrc00'), { recursive: true });
  const { code, stdout, stderr } = await ipatlas(t, { ...settings, FEEDS: feeds, OUTPUT: other }, 'build');
  t.equal(code, 3, 'exit code', { stderr });
  t.match(stdout, /^REFUSED rib\/rrc00\/\S+: missing: .*Used instead: last good copy$/m);
  const [before, after] = [await served(OUTPUT), await served(other)];
  t.same(await readRoutes(after.dir), await readRoutes(before.dir), 'the same routes');
  t.same(after.manifest.datasets, before.manifest.datasets);
});

t.test('without dumps asn.mmdb has observed ASes only', async (t) => {
  const output = outputFolder(t);
  const feeds = copyFeeds(t);
  rmSync(join(feeds, 'rib'), { recursive: true });
  const some = { FEEDS: feeds, OUTPUT: output, BUILD_FEEDS: 'own,asnames,geolite2-asn,ipinfo-asn' };
  const { stdout, stderr } = await build(t, some);
  t.match(stderr, /Z compile:routing: only asn\.mmdb, with observed ASes/m);
  t.match(stderr, /Z compile:routing: no download\/asn\.mmdb/m);
  t.match(stdout, /^ASes of IPv4 addresses: geolite2 [\d,]+, ipinfo [\d,]+$/m);
  t.same((await served(output)).manifest.datasets!.routing!.files, ['asn.mmdb']);
  t.match(openAsn(output, 'asn.mmdb').get('8.8.8.8'), {
    autonomous_system_number: 15169,
    as_source: 'geolite2',
  });
  const { stdout: inspected } = await ipatlas(t, { OUTPUT: output }, 'inspect', '8.8.8.8');
  t.match(inspected, /^route +no routing table in this release$/m);
  t.match(inspected, /^asn\.mmdb +AS15169 .*, according to geolite2$/m);
  await build(t, { ...some, DATASET_FEEDS: 'ipinfo-asn' });
  const download = openAsn(output, 'download/asn.mmdb');
  t.match(download.get('91.187.98.1'), { autonomous_system_number: 21246, as_source: 'ipinfo' });
  t.equal(download.get('132.248.1.1'), null, 'not named');
  const file = (await served(output)).manifest.files.find(({ name }) => name === 'download/asn.mmdb')!;
  t.match(file, { terms: 'share-alike', sources: ['asnames', 'ipinfo-asn'] });
});

t.test('without dumps only geolocation is built; the next build with dumps adds routing', async (t) => {
  const other = outputFolder(t);
  const feeds = copyFeeds(t);
  rmSync(join(feeds, 'rib'), { recursive: true });
  const without = { ...settings, FEEDS: feeds, OUTPUT: other, BUILD_FEEDS: WITHOUT_OBSERVED };
  const { stdout, stderr } = await build(t, without);
  t.match(stderr, /Z compile:routing: no routing datasets: no RIB dump/m);
  t.notMatch(stdout, 'routing table');
  t.notOk(existsSync(join(other, 'current/asn.mmdb')));
  await build(t, { ...settings, OUTPUT: other, SOURCE_DATE_EPOCH: EPOCH });
  for (const name of [...FILES, 'geo.mmdb']) {
    const [mine, theirs] = [OUTPUT, other].map((dir) => readFileSync(join(dir, 'current', name)));
    t.ok(theirs!.equals(mine!), `equal inputs, equal bytes: ${name}`);
  }
});

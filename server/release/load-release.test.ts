import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { currentRelease, MANIFEST } from '../../pipeline/release/release-store.js';
import { pseudoRandom } from '../../pipeline/table/networks.fixture.js';
import { copyRelease, damageFile, editManifest, replaceFile } from '../testing/damage.js';
import { SMALL, SMALL_AS, smallRecords } from '../testing/small-records.js';
import {
  publishSmallRelease,
  SMALL_BUILD_EPOCH,
  type SmallReleaseOptions,
} from '../testing/small-release.js';
import { loadRelease } from './load-release.js';
import { ReleaseRefused } from './snapshot.js';
import { selfTest, type Tables } from './self-test.js';

const ID = '20300101T000000Z-0123456789ab';

t.test('a loaded release answers from all of its tables', async (t) => {
  const outputDir = t.testdir();
  const dir = await published(outputDir);
  const snapshot = await loadRelease(dir);
  const records = smallRecords();
  t.match(dir, new RegExp(`/releases/${snapshot.id}$`));
  t.equal(snapshot.buildEpoch, SMALL_BUILD_EPOCH);
  t.match(snapshot.places.get(SMALL.google), { city: { names: { en: 'Mountain View' } } });
  t.match(snapshot.isp.get(SMALL.vpn), { proxy: { provider: 'Proton VPN' } });
  t.match(snapshot.announcers.get(SMALL.googleV6), { autonomous_system_number: 15169 });
  t.match(snapshot.routes.get(SMALL.shanghai), { rpki: 'invalid', line: '163' });
  t.equal(snapshot.places.get(SMALL.unknown), undefined);
  t.match(snapshot.networkOf(SMALL_AS.google), { name: 'GOOGLE' });
  t.equal(snapshot.networkOf(SMALL_AS.unknown), undefined);
  t.same([...snapshot.verdicts.keys()], [...records.verdicts.keys()]);
  t.match(snapshot.verdicts.get('dbip')?.get(SMALL.google), { latitude: 37.422 });
  const [net] = records.peering.nets;
  const found = snapshot.peering.find(`AS${net!.asn}`).nets[0];
  t.same(found, net);
  t.ok(Object.isFrozen(snapshot) && Object.isFrozen(found));
});

t.test('download names contain the build date, and paths lie in the folder of the release', async (t) => {
  const dir = await published(t.testdir());
  const { datasets } = await loadRelease(dir);
  t.same([...datasets.keys()], ['mmdb', 'asn', 'isp']);
  const geo = datasets.get('mmdb')!;
  t.match(geo, {
    filename: 'ipatlas-geo-20261121.mmdb',
    path: join(dir, 'download/geo.mmdb'),
    ipVersion: 6,
  });
  t.equal(geo.sizeBytes, statSync(geo.path).size);
  t.equal(geo.modified, Math.floor(statSync(geo.path).mtimeMs / 1000));
  t.same(geo.languages, ['en', 'zh-CN']);
  t.equal(datasets.get('asn')?.filename, 'ipatlas-asn-20261121.mmdb');
  t.equal(datasets.get('isp')?.filename, 'ipatlas-isp-20261121.mmdb');
});

t.test('a release without routing and lists has empty tables and fewer downloads', async (t) => {
  const dir = await published(t.testdir(), { datasets: ['geo'] });
  const snapshot = await loadRelease(dir);
  t.ok(snapshot.places.get(SMALL.google));
  t.equal(snapshot.routes.get(SMALL.google), undefined);
  t.equal(snapshot.isp.get(SMALL.google), undefined);
  t.equal(snapshot.networkOf(15169), undefined);
  t.same(snapshot.peering.find('example'), { nets: [], facs: [] });
  t.same([...snapshot.datasets.keys()], ['mmdb']);
});

t.test('a release may have observed ASes without a routing table', async (t) => {
  const snapshot = await loadRelease(await published(t.testdir(), { observer: 'geolite2' }));
  t.match(snapshot.announcers.get(SMALL.google), { autonomous_system_number: 15169, as_source: 'geolite2' });
  t.equal(snapshot.routes.get(SMALL.google), undefined);
  t.equal(snapshot.networkOf(15169), undefined);
});

t.test(
  'a release is refused when any file is truncated, longer, changed, missing or not a file',
  async (t) => {
    const dir = await published(t.testdir());
    const random = pseudoRandom(11);
    const files = [
      'geo.mmdb',
      'isp.mmdb',
      'networks.mmdb',
      'sources/dbip.mmdb',
      'download/isp.mmdb',
      'peering.json',
    ];
    for (const name of files) {
      const at = random(statSync(join(dir, name)).size);
      for (const [what, change] of Object.entries({
        cut: (bytes: Buffer) => bytes.subarray(0, at),
        longer: (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(1)]),
        flipped: (bytes: Buffer) => bytes.fill(bytes[at]! ^ 1, at, at + 1),
      })) {
        const copy = await copyRelease(dir, ID);
        damageFile(join(copy, name), change);
        await refused(
          t,
          copy,
          { file: name, reason: /^has (\d+ bytes|sha256 )/ },
          `${name} ${what} at ${at}`,
        );
      }
    }
    const copy = await copyRelease(dir, ID);
    rmSync(join(copy, 'routes.mmdb'));
    await refused(t, copy, { file: 'routes.mmdb', reason: 'does not exist' });
    symlinkSync('/', join(copy, 'routes.mmdb'));
    await refused(t, copy, { file: 'routes.mmdb', reason: 'is not a regular file' });
  },
);

t.test('a half-copied folder is refused at its first missing file', async (t) => {
  const dir = await published(t.testdir());
  for (const name of ['sources', 'download', 'peering.json', MANIFEST]) {
    const copy = await copyRelease(dir, ID);
    rmSync(join(copy, name), { recursive: true });
    await refused(t, copy, { reason: 'does not exist' }, name);
  }
});

t.test('the manifest must have this schema and this id, and list all required files', async (t) => {
  const dir = await published(t.testdir());
  const texts: Readonly<Record<string, (text: string) => string>> = {
    'schema 2': (text) => text.replace('"schema": 1', '"schema": 2'),
    'no schema': (text) => text.replace('"schema": 1,', ''),
    'not JSON': (text) => text.slice(0, -10),
    'another id': (text) => text.replace(ID, ID.replace('2030', '2031')),
    'a path out of it': (text) => text.replace('"geo.mmdb"', '"../geo.mmdb"'),
  };
  for (const [what, change] of Object.entries(texts)) {
    const copy = await copyRelease(dir, ID);
    const path = join(copy, MANIFEST);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    await refused(t, copy, { file: MANIFEST }, what);
  }
  for (const missing of ['geo.mmdb', 'asn.mmdb', 'routes.mmdb', 'networks.mmdb']) {
    const copy = await copyRelease(dir, ID);
    await editManifest(copy, (manifest) => ({
      ...manifest,
      files: manifest.files.filter(({ name }) => name !== missing),
    }));
    await refused(t, copy, { file: missing, reason: 'is not in the manifest' });
  }
  for (const twice of ['geo.mmdb', 'download/geo.mmdb']) {
    const copy = await copyRelease(dir, ID);
    await editManifest(copy, ({ files, ...manifest }) => ({
      ...manifest,
      files: [...files, files.find(({ name }) => name === twice)!],
    }));
    await refused(t, copy, { file: twice, reason: 'is listed twice in the manifest' });
  }
  const copy = await copyRelease(dir, ID);
  const geo = { key: '0'.repeat(64), files: ['geo.mmdb', 'sources/lost.mmdb'], counters: {} };
  await editManifest(copy, (manifest) => ({ ...manifest, datasets: { geo } }));
  await refused(t, copy, { file: 'sources/lost.mmdb', reason: 'is not in the manifest' });
});

/** Changes the build epoch of a database to 8 bytes, so that the size of the metadata changes. */
function withEpoch(bytes: Buffer, epoch: bigint): Buffer {
  const key = Buffer.from('build_epoch');
  const at = bytes.lastIndexOf(key) + key.length;
  const value = Buffer.alloc(10);
  // A uint64 of 8 bytes: the control byte has the size, the byte after it the type 9, less 7.
  value.set([8, 2]);
  value.writeBigUInt64BE(epoch, 2);
  return Buffer.concat([bytes.subarray(0, at), value, bytes.subarray(at + 2 + (bytes[at]! & 0x1f))]);
}

t.test('a build epoch that is no date is refused with its value and what is allowed', async (t) => {
  const dir = await published(t.testdir());
  const reason = /buildEpoch: 253402300800: expected 0-253402300799, in seconds since 1970/;
  const first = /"buildEpoch": \d+/;
  for (const where of [first, new RegExp(`(?<=${first.source}.*)${first.source}`, 's')]) {
    const copy = await copyRelease(dir, ID);
    const path = join(copy, MANIFEST);
    writeFileSync(path, readFileSync(path, 'utf8').replace(where, '"buildEpoch": 253402300800'));
    await refused(t, copy, { file: MANIFEST, reason });
  }
});

t.test('a file with a correct digest is refused when it is another database, or none', async (t) => {
  const dir = await published(t.testdir());
  const bytesOf = (name: string): Buffer => readFileSync(join(dir, name));
  const geo = bytesOf('geo.mmdb');
  const type = Buffer.from('ipatlas-City');
  const cases: readonly (readonly [name: string, bytes: Buffer, reason: RegExp])[] = [
    ['geo.mmdb', bytesOf('isp.mmdb'), /has type "ipatlas-ISP/],
    ['isp.mmdb', bytesOf('asn.mmdb'), /has type "ipatlas-ASN/],
    ['routes.mmdb', bytesOf('networks.mmdb'), /has type "ipatlas-Networks" and IP version 4, expected /],
    ['sources/own.mmdb', geo, /has type "ipatlas-City"/],
    ['sources/own.mmdb', bytesOf('sources/dbip.mmdb'), /type is ipatlas-Verdicts-dbip in its metadata but /],
    ['geo.mmdb', replaced(geo, type, Buffer.from('ipatlas-Xity')), /has type "ipatlas-Xity"/],
    ['geo.mmdb', Buffer.alloc(0), /no MMDB metadata/],
    ['geo.mmdb', Buffer.alloc(5000), /no MMDB metadata/],
    ['geo.mmdb', Buffer.concat([geo, Buffer.alloc(1 << 17)]), /no MMDB metadata in its last/],
    ['geo.mmdb', geo.subarray(0, -20), /metadata/],
    ['geo.mmdb', geo.subarray(300), /no separator/],
    ['geo.mmdb', geo.subarray(geo.lastIndexOf('MaxMind.com') - 3), /tree of \d+ nodes does not fit/],
    ['geo.mmdb', bytesOf('download/geo.mmdb').fill(0, 0, 700), /8\.8\.8\.8 is in no country/],
    [
      'geo.mmdb',
      withEpoch(geo, 2n ** 64n - 1n),
      /build_epoch is beyond the last date in its metadata but \d+/,
    ],
    ['geo.mmdb', withEpoch(geo, 253_402_300_800n), /build_epoch is 253402300800 in its metadata but \d+/],
    ['peering.json', Buffer.from('{"nets":[]}'), /not a valid peering index/],
    ['peering.json', Buffer.from('{'), /not a valid peering index/],
  ];
  for (const [file, bytes, reason] of cases) {
    const copy = await copyRelease(dir, ID);
    await replaceFile(copy, file, bytes);
    await refused(t, copy, { file, reason }, `${file}: ${reason.source}`);
  }
});

t.test(
  'any changed byte in a file with a correct digest gives a refusal or an answer, never a crash',
  async (t) => {
    const dir = await published(t.testdir());
    const geo = readFileSync(join(dir, 'geo.mmdb'));
    const random = pseudoRandom(5);
    const copy = await copyRelease(dir, ID);
    for (let round = 0; round < 40; round++) {
      const bytes = Buffer.from(geo);
      for (let i = 0; i < 20; i++) bytes[random(bytes.length)] = random(256);
      await replaceFile(copy, 'geo.mmdb', bytes);
      const outcome = await loadRelease(copy).catch((error: unknown) => error);
      t.ok(outcome instanceof ReleaseRefused || 'places' in (outcome as object), String(outcome));
    }
  },
);

t.test('the self-test refuses each wrong answer', (t) => {
  const us = (ip: string) => (/^(8\.8|2001:4860)/.test(ip) ? { country: { iso_code: 'US' } } : undefined);
  const none = { get: () => undefined };
  const good: Tables = {
    places: { get: us },
    isp: none,
    announcers: none,
    routes: none,
    networkOf: () => undefined,
  };
  t.doesNotThrow(() => {
    selfTest(good);
  });
  t.doesNotThrow(() => {
    selfTest({ ...good, networkOf: () => ({ asn: 1, in_use: true }) });
  }, 'no AS announces the addresses, so none is searched by its number');
  const as = { get: (ip: string) => (us(ip) ? { autonomous_system_number: 15169 } : undefined) };
  const cases: readonly (readonly [Partial<Tables>, file: string])[] = [
    [{ places: none }, 'geo.mmdb'],
    [{ places: { get: (ip) => (ip.includes(':') ? undefined : us(ip)) } }, 'geo.mmdb'],
    [{ places: { get: () => ({ country: { iso_code: 'US' } }) } }, 'geo.mmdb'],
    [{ isp: { get: () => ({}) } }, 'isp.mmdb'],
    [{ routes: { get: (ip) => (ip === '10.0.0.1' ? { prefix: '10.0.0.0/8' } : undefined) } }, 'routes.mmdb'],
    [{ announcers: { get: () => ({ autonomous_system_number: 1 }) } }, 'asn.mmdb'],
    [{ announcers: as }, 'networks.mmdb'],
    [{ announcers: as, networkOf: () => ({ asn: 1, in_use: true }) }, 'networks.mmdb'],
  ];
  for (const [change, file] of cases) {
    t.throws(
      () => {
        selfTest({ ...good, ...change });
      },
      { name: 'ReleaseRefused', file },
    );
  }
  t.end();
});

async function published(outputDir: string, options?: SmallReleaseOptions): Promise<string> {
  await publishSmallRelease(outputDir, options);
  return (await currentRelease(outputDir))!.dir;
}

async function refused(t: Test, dir: string, expected: object, what = dir): Promise<void> {
  await t.rejects(loadRelease(dir), { name: 'ReleaseRefused', ...expected }, what);
}

/** Replaces the last occurrence of some bytes by as many others. */
function replaced(bytes: Buffer, old: Buffer, by: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  by.copy(copy, copy.lastIndexOf(old));
  return copy;
}

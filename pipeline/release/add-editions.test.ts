import { createHash } from 'node:crypto';
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readMetadata } from '../mmdb/metadata.js';
import { readMmdb } from '../mmdb/read.js';
import { verifyMmdb } from '../mmdb/verify.js';
import { filesOfRelease, manifestSchema, type Manifest } from './contract.js';
import { verifyFiles } from './verify-release.js';
import { addEditions } from './add-editions.js';
import { writeDownloadable } from './testing/downloadable-files.js';

const EPOCH = 1_795_046_400;

/** Returns the bytes of each edition by its type. */
function bytesOf(dir: string, { editions = [] }: Manifest): Map<string, Buffer> {
  return new Map(
    editions.map(({ name, type, of, bodyBytes }) => {
      const body = readFileSync(join(dir, of)).subarray(0, bodyBytes);
      return [type, Buffer.concat([body, readFileSync(join(dir, name))])];
    }),
  );
}

t.test('an edition is the same database under another type', async (t) => {
  const dir = t.testdir();
  const manifest = await addEditions(writeDownloadable(dir), dir);
  const editions = bytesOf(dir, manifest);
  t.same(
    [...editions.keys()],
    [
      ...['GeoLite2-City', 'GeoIP2-City', 'GeoLite2-Country', 'GeoIP2-Country'],
      ...['GeoLite2-ASN', 'GeoIP2-ISP', 'GeoIP2-Anonymous-IP'],
    ],
  );
  for (const { type, of } of manifest.editions!) {
    const own = readFileSync(join(dir, of));
    const bytes = editions.get(type)!;
    t.same(verifyMmdb(bytes).problems, [], `${type} is valid`);
    t.same(readMmdb(bytes).records, readMmdb(own).records, `${type} has the records of ${of}`);
    const { databaseType, description, ...rest } = readMetadata(bytes).metadata;
    const { databaseType: ownType, description: ownText, ...ownRest } = readMetadata(own).metadata;
    t.equal(databaseType, type);
    t.not(ownType, type);
    t.same(rest, ownRest, `${type} has the figures, the languages and the date of ${of}`);
    t.equal(
      description['en'],
      `${ownText['en']!}. This is data of ipatlas under the database type ${type}, not a database of MaxMind`,
    );
    t.match(description['zh-CN'], /^ipatlas 测试。.*并非 MaxMind/);
  }
});

t.test('the manifest has the digests of whole editions, and the md5 of their files', async (t) => {
  const dir = t.testdir();
  const manifest = await addEditions(writeDownloadable(dir), dir);
  const digest = (bytes: Buffer, algorithm: string) => createHash(algorithm).update(bytes).digest('hex');
  const editions = bytesOf(dir, manifest);
  for (const { type, whole } of manifest.editions!) {
    const bytes = editions.get(type)!;
    t.same(whole, {
      sizeBytes: bytes.length,
      sha256: digest(bytes, 'sha256'),
      md5: digest(bytes, 'md5'),
    });
  }
  for (const { name, kind, md5 } of manifest.files)
    t.equal(md5, kind === 'download' ? digest(readFileSync(join(dir, name)), 'md5') : undefined, name);
});

t.test('a release with editions is verified with their files', async (t) => {
  const dir = t.testdir();
  const manifest = manifestSchema.parse(await addEditions(writeDownloadable(dir), dir));
  await verifyFiles(dir, filesOfRelease(manifest));
  truncateSync(join(dir, manifest.editions![0]!.name), 100);
  await t.rejects(verifyFiles(dir, filesOfRelease(manifest)), /geo-geolite2-city\.metadata: has 100 bytes/);
});

t.test('a release without downloadable files has no editions, and its manifest is unchanged', async (t) => {
  const dir = t.testdir();
  const { files, ...rest } = writeDownloadable(dir);
  const manifest = { ...rest, files: files.filter(({ kind }) => kind === 'served') };
  t.equal(await addEditions(manifest, dir), manifest);
});

t.test('equal files give equal editions', async (t) => {
  const [one, other] = [t.testdir({ a: {}, b: {} })].flatMap((dir) => [join(dir, 'a'), join(dir, 'b')]);
  const first = await addEditions(writeDownloadable(one!), one!);
  t.same(await addEditions(writeDownloadable(other!), other!), first);
  t.equal(
    first.files.every(({ buildEpoch }) => buildEpoch === EPOCH),
    true,
  );
});

t.test('a file that is cut or has no metadata has no editions', async (t) => {
  const dir = t.testdir();
  const manifest = writeDownloadable(dir);
  const { sizeBytes } = manifest.files.find(({ name }) => name === 'download/asn.mmdb')!;
  for (const length of [0, 10, sizeBytes - 300, sizeBytes - 1]) {
    truncateSync(join(dir, 'download/asn.mmdb'), length);
    await t.rejects(addEditions(manifest, dir), { name: 'MmdbError' }, `${length} bytes`);
    writeDownloadable(dir);
  }
});

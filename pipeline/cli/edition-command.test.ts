import { createHash } from 'node:crypto';
import { existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readMetadata } from '../mmdb/metadata.js';
import { verifyMmdb } from '../mmdb/verify.js';
import { writeDownloadable } from '../release/testing/downloadable-files.js';
import { ipatlas } from './testing/command-line.js';

const digest = (algorithm: string, bytes: Buffer): string =>
  createHash(algorithm).update(bytes).digest('hex');

t.test('edition writes a file under another type, and prints its digests', async (t) => {
  const dir = t.testdir();
  writeDownloadable(dir);
  const [file, out] = [join(dir, 'geo.mmdb'), join(dir, 'country.mmdb')];
  const before = readFileSync(file);
  writeFileSync(out, 'an older file');
  const { code, stdout } = await ipatlas(t, {}, 'edition', file, 'GeoIP2-Country', '-o', out);
  t.equal(code, 0);
  const bytes = readFileSync(out);
  t.equal(readMetadata(bytes).metadata.databaseType, 'GeoIP2-Country');
  t.same(verifyMmdb(bytes).problems, []);
  t.equal(
    stdout,
    [
      `${out}: GeoIP2-Country, ${bytes.length.toLocaleString('en')} bytes`,
      `  sha256 ${digest('sha256', bytes)}`,
      `  md5 ${digest('md5', bytes)}`,
      '',
    ].join('\n'),
  );
  t.ok(readFileSync(file).equals(before), 'the file itself is unchanged');
  t.same(readdirSync(dir).sort(), ['country.mmdb', 'download', 'geo.mmdb']);
  const json = await ipatlas(t, {}, '--json', 'edition', file, 'GeoIP2-Country', '--out', out);
  t.same(JSON.parse(json.stdout), {
    ...{ out, type: 'GeoIP2-Country', sizeBytes: bytes.length },
    ...{ sha256: digest('sha256', bytes), md5: digest('md5', bytes) },
  });
});

t.test('a type that the file cannot have is refused with those that it can have', async (t) => {
  const dir = t.testdir();
  writeDownloadable(dir);
  const out = join(dir, 'out.mmdb');
  const asn = join(dir, 'download/asn.mmdb');
  for (const type of ['GeoLite2-City', 'geolite2-asn', '../x', '__proto__', 'constructor']) {
    const { code, stderr } = await ipatlas(t, {}, 'edition', asn, type, '-o', out);
    t.equal(code, 64, type);
    t.match(stderr, `invalid type "${type}" for ${asn}: expected GeoLite2-ASN`);
  }
  t.notOk(existsSync(out));
});

t.test(
  'an edition cannot be made from another publisher’s file, from an edition or from no MMDB file',
  async (t) => {
    const dir = t.testdir({ 'text.mmdb': 'no database' });
    writeDownloadable(dir);
    const out = join(dir, 'out.mmdb');
    const edition = join(dir, 'edition.mmdb');
    await ipatlas(t, {}, 'edition', join(dir, 'geo.mmdb'), 'GeoLite2-City', '-o', edition);
    const again = await ipatlas(t, {}, 'edition', edition, 'GeoIP2-City', '-o', out);
    t.equal(again.code, 64);
    t.match(again.stderr, /has the type "GeoLite2-City": expected a file of the type ipatlas-City, /);
    const text = await ipatlas(t, {}, 'edition', join(dir, 'text.mmdb'), 'GeoIP2-City', '-o', out);
    t.equal(text.code, 1);
    t.match(text.stderr, /text\.mmdb is no MMDB file: no metadata marker/);
    t.equal((await ipatlas(t, {}, 'edition', join(dir, 'none.mmdb'), 'GeoIP2-City', '-o', out)).code, 1);
    t.notOk(existsSync(out));
  },
);

t.test('a file is never replaced by its own edition, also not under another name', async (t) => {
  const dir = t.testdir();
  writeDownloadable(dir);
  const file = join(dir, 'geo.mmdb');
  const linked = join(dir, 'linked.mmdb');
  linkSync(file, linked);
  const before = readFileSync(file);
  for (const out of [file, linked]) {
    const { code, stderr } = await ipatlas(t, {}, 'edition', file, 'GeoLite2-City', '-o', out);
    t.equal(code, 64);
    t.match(stderr, `${out} is the file itself`);
  }
  t.ok(readFileSync(file).equals(before));
});

import { mkdirSync, readFileSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { manifestSchema, type Manifest } from './contract.js';
import { sha256File, sha256Text } from './digest.js';
import {
  currentId,
  currentRelease,
  encodeManifest,
  listReleases,
  readManifest,
  ReleaseError,
  releaseId,
} from './release-store.js';
import { exampleManifest, publishExample } from './testing/example-release.js';

function write(dir: string, text: string): string {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'manifest.json'), text);
  return dir;
}

t.test('an id is the build epoch in UTC and the first digits of the build key', (t) => {
  t.equal(releaseId(0, 'a'.repeat(64)), '19700101T000000Z-aaaaaaaaaaaa');
  t.equal(releaseId(1793491199, sha256Text('x')), `20261031T235959Z-${sha256Text('x').slice(0, 12)}`);
  t.end();
});

t.test('without a release the list is empty and there is no current', async (t) => {
  const outputDir = t.testdir({});
  t.same(await listReleases(outputDir), []);
  t.equal(await currentRelease(outputDir), undefined);
});

t.test('lists the newest first, leaves out the unfinished and names the damaged', async (t) => {
  const outputDir = t.testdir({});
  const ids = [await publishExample(outputDir, 100), await publishExample(outputDir, 300)];
  const between = releaseId(200, sha256Text('between'));
  write(join(outputDir, 'releases', between), '{"schema": 1');
  mkdirSync(join(outputDir, 'releases', '.tmp-work'));
  mkdirSync(join(outputDir, 'releases', 'holiday pictures'));
  writeFileSync(join(outputDir, 'releases', 'notes.txt'), '');
  const listed = await listReleases(outputDir);
  t.same(
    listed.map((release) => [release.id, 'damaged' in release]),
    [
      [ids[1], false],
      [between, true],
      [ids[0], false],
      ['holiday pictures', true],
    ],
  );
  const reasons = listed.map((release) => ('damaged' in release ? release.damaged : ''));
  t.match(reasons[1], /manifest\.json: is not JSON/);
  t.match(reasons[3], /manifest\.json: does not exist/);
});

t.test('of two releases of the same second the one published later is the newer', async (t) => {
  const outputDir = t.testdir({});
  const manifests = ['one', 'two', 'three'].map((text) => exampleManifest(500, text));
  for (const [i, manifest] of manifests.entries()) {
    const dir = write(join(outputDir, 'releases', manifest.id), encodeManifest(manifest));
    utimesSync(join(dir, 'manifest.json'), 1000 + i, 1000 + i);
  }
  const ids = (await listReleases(outputDir)).map(({ id }) => id);
  t.same(ids, manifests.map(({ id }) => id).reverse());
});

t.test('a manifest that violates the schema is an error with its place', async (t) => {
  const good = exampleManifest(100);
  const dir = join(t.testdir({}), good.id);
  const cases: [string, unknown, RegExp][] = [
    ['a torn file', undefined, /is not JSON/],
    ['another digest', { ...good, files: [{ ...good.files[0]!, sha256: 'ABC' }] }, /files\[0\]\.sha256: /],
    ['an unknown key', { ...good, surprise: 1 }, /the manifest: Unrecognized key/],
    [
      'a path that leaves the folder',
      { ...good, files: [{ ...good.files[0]!, name: '../x' }] },
      /files\[0\]\.name: /,
    ],
    [
      'an absolute path',
      { ...good, files: [{ ...good.files[0]!, name: '/etc/passwd' }] },
      /files\[0\]\.name: /,
    ],
    [
      'a broken count',
      { ...good, inputs: [{ ...good.inputs[0]!, networks: 1.5 }] },
      /inputs\[0\]\.networks: /,
    ],
    [
      'another id',
      { ...good, id: releaseId(7, good.buildKey) },
      /id 19700101T000007Z-.* differs from the folder's name/,
    ],
    ['a list', [], /the manifest: /],
  ];
  for (const [name, value, message] of cases) {
    write(dir, value === undefined ? encodeManifest(good).slice(0, 200) : JSON.stringify(value));
    await t.rejects(
      readManifest(dir),
      { name: 'ReleaseError', message, path: join(dir, 'manifest.json') },
      name,
    );
  }
  write(dir, encodeManifest(good));
  t.same(await readManifest(dir), good);
});

t.test('a manifest truncated at any byte is refused', async (t) => {
  const good = exampleManifest(100);
  const dir = join(t.testdir({}), good.id);
  const text = encodeManifest(good);
  for (let length = 0; length < text.trimEnd().length; length += 13) {
    write(dir, text.slice(0, length));
    await t.rejects(readManifest(dir), ReleaseError);
  }
});

t.test('equal manifests are equal bytes, whatever the order their keys were written in', (t) => {
  const manifest = exampleManifest(100);
  const coverage = { networks: 1, ipv4Addresses: 2, ipv6Slash64s: 2 ** 61 };
  const some: Manifest = {
    ...manifest,
    files: [{ ...manifest.files[0]!, coverageByCountry: { US: coverage, CN: coverage, none: coverage } }],
  };
  const text = encodeManifest(some);
  t.equal(encodeManifest(reversed(some) as Manifest), text);
  t.ok(text.endsWith('\n}\n'));
  t.ok(text.indexOf('"CN"') < text.indexOf('"US"'));
  t.ok(text.indexOf('"schema"') < text.indexOf('"id"'));
  t.equal(encodeManifest(manifestSchema.parse(JSON.parse(text))), text, 'read and written again');
  t.end();
});

t.test('an invalid manifest is never encoded', (t) => {
  t.throws(() => encodeManifest({ ...exampleManifest(100), buildEpoch: NaN }), {
    name: 'ReleaseError',
    message: /buildEpoch: /,
  });
  t.end();
});

t.test('current is a relative link, so the output folder can move', async (t) => {
  const root = t.testdir({ output: {} });
  const id = await publishExample(join(root, 'output'), 100);
  renameSync(join(root, 'output'), join(root, 'moved'));
  const current = await currentRelease(join(root, 'moved'));
  t.equal(current?.id, id);
  t.equal(readFileSync(join(root, 'moved', 'current', 'geo.mmdb'), 'utf8'), 'geo of 100');
});

t.test(
  'a current that is not a link, or points elsewhere or to a missing release, is an error',
  async (t) => {
    const folder = t.testdir({ folder: { current: {} }, elsewhere: {}, gone: {} });
    await t.rejects(currentId(join(folder, 'folder')), { message: /current: is not a symlink/ });
    symlinkSync('../folder', join(folder, 'elsewhere', 'current'));
    await t.rejects(currentRelease(join(folder, 'elsewhere')), { message: /not among the releases/ });
    symlinkSync('releases/x', join(folder, 'gone', 'current'));
    t.equal(await currentId(join(folder, 'gone')), 'x');
    await t.rejects(currentRelease(join(folder, 'gone')), { message: /manifest\.json: does not exist/ });
  },
);

t.test('the digest of a file does not depend on chunks', async (t) => {
  const text = 'ipatlas '.repeat(400_000);
  const dir = t.testdir({ big: text, empty: '' });
  t.same(await sha256File(join(dir, 'big')), { sha256: sha256Text(text), sizeBytes: text.length });
  t.same(await sha256File(join(dir, 'empty')), { sha256: sha256Text(''), sizeBytes: 0 });
  await t.rejects(sha256File(join(dir, 'none')), { code: 'ENOENT' });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

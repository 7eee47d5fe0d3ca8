import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { applyDelta } from '../changes/apply-delta.js';
import { CITY_SCHEMA } from '../merge/city-record.js';
import { writeMmdb } from '../mmdb/write.js';
import { parsePrefix } from '../net/prefix.js';
import { filesOfRelease, manifestSchema, type Manifest } from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import { encodeManifest, MANIFEST, releaseDir, releasesDir, type Release } from '../release/release-store.js';
import { exampleFile, exampleManifest } from '../release/testing/example-release.js';
import { verifyFiles } from '../release/verify-release.js';
import type { BuildSettings } from '../stage/settings.js';
import { PrefixTable } from '../table/prefix-table.js';
import { addChanges } from './add-changes.js';
import { findChanges } from './find-changes.js';

/** Cities by network. */
type Cities = Readonly<Record<string, string>>;

const NETWORKS = Array.from({ length: 400 }, (_, i) => `10.${i >> 8}.${i & 255}.0/24`);

/** Returns 400 networks in as many cities, with changes. */
function cities(changes: Cities = {}): Cities {
  return { ...Object.fromEntries(NETWORKS.map((network, i) => [network, `Town ${i}`])), ...changes };
}

/** Writes the file for download of a release into a folder. Returns its manifest. */
function writeRelease(dir: string, buildEpoch: number, content: Cities): Manifest {
  const table = new PrefixTable();
  Object.keys(content).forEach((network, id) => {
    const { address, length } = parsePrefix(network)!;
    table.insert(address, length, id);
  });
  const name = 'download/geo.mmdb';
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  const written = writeMmdb(join(dir, name), {
    ...{ table: table.flatten(), schema: CITY_SCHEMA, ipVersion: 6, buildEpoch },
    records: Object.values(content).map((city) => ({ city: { names: { en: city } } })),
    databaseType: 'ipatlas-City',
    description: { en: 'test' },
    languages: ['en'],
  });
  const file = { ...exampleFile('x'), ...written, name, kind: 'download' as const, buildEpoch };
  return { ...exampleManifest(buildEpoch, JSON.stringify(content)), files: [file] };
}

/** Publishes a release after `base` as `publish` does. Returns it, and what was logged. */
async function next(
  t: Test,
  { outputDir, base, keep = 7 }: { outputDir: string; base?: Release | undefined; keep?: number },
  [buildEpoch, content]: readonly [number, Cities],
): Promise<Release & { readonly logged: readonly string[] }> {
  const workDir = join(releasesDir(outputDir), `.tmp-${buildEpoch}`);
  const made = writeRelease(workDir, buildEpoch, content);
  const logged: string[] = [];
  const log = (line: string): void => void logged.push(line);
  const manifest = manifestSchema.parse(
    await addChanges({ outputDir, workDir, manifest: made, base, keep, log }),
  );
  await t.resolves(verifyFiles(workDir, filesOfRelease(manifest)), 'the folder has the listed files only');
  const dir = releaseDir(outputDir, manifest.id);
  writeFileSync(join(workDir, MANIFEST), encodeManifest(manifest));
  renameSync(workDir, dir);
  return { id: manifest.id, dir, manifest, logged };
}

t.test('a release has contiguous deltas from the kept releases, and each gives the next file', async (t) => {
  const outputDir = t.testdir();
  const first = await next(t, { outputDir }, [1_000_000, cities()]);
  t.equal(first.manifest.deltas, undefined, 'a first release has none');
  const second = await next(t, { outputDir, base: first }, [2_000_000, cities({ '10.0.5.0/24': 'Bath' })]);
  const changed = cities({ '10.0.5.0/24': 'Bath', '10.0.6.0/25': 'Wells' });
  const third = await next(t, { outputDir, base: second }, [3_000_000, changed]);
  const [entry] = third.manifest.deltas!;
  t.match(entry, { file: 'download/geo.mmdb', serial: 3, session: second.manifest.deltas![0]!.session });
  t.strictSame(
    entry!.deltas.map(({ serial, changes }) => [serial, changes]),
    [
      [2, 1],
      [3, 1],
    ],
  );
  let file = readFileSync(join(first.dir, 'download/geo.mmdb'));
  for (const { name } of entry!.deltas) {
    const parts: Buffer[] = [];
    applyDelta(file, readFileSync(join(third.dir, name)), (bytes) => parts.push(Buffer.from(bytes)));
    file = Buffer.concat(parts);
  }
  t.ok(file.equals(readFileSync(join(third.dir, 'download/geo.mmdb'))));
});

t.test('the rows of a delta have each changed field of each network, before and after', async (t) => {
  const outputDir = t.testdir();
  const base = await next(t, { outputDir }, [1_000_000, cities()]);
  const content = cities({ '10.0.5.0/24': 'Bath, "Spa"', '11.0.0.0/8': 'Wells' });
  const made = await next(t, { outputDir, base }, [2_000_000, content]);
  const { rows } = made.manifest.deltas![0]!.deltas[0]!;
  t.equal(
    gunzipSync(readFileSync(join(made.dir, rows.name))).toString(),
    '1970-01-24T03:33:20Z,10.0.5.0/24,city.names.en,Town 5,"Bath, ""Spa"""\r\n' +
      '1970-01-24T03:33:20Z,11.0.0.0/8,city.names.en,,Wells\r\n',
  );
});

t.test('an unchanged file keeps its serial, and old deltas leave with the kept releases', async (t) => {
  const outputDir = t.testdir();
  let base = await next(t, { outputDir, keep: 3 }, [1_000_000, cities()]);
  for (let night = 2; night <= 5; night++) {
    const content = cities({ '10.0.5.0/24': `Night ${night}` });
    base = await next(t, { outputDir, base, keep: 3 }, [night * 1_000_000, content]);
  }
  t.strictSame(
    base.manifest.deltas![0]!.deltas.map(({ serial }) => serial),
    [4, 5],
  );
});

t.test('a release that is kept alone has no deltas, and no files of them', async (t) => {
  const outputDir = t.testdir();
  const base = await next(t, { outputDir, keep: 1 }, [1_000_000, cities()]);
  const content = cities({ '10.0.5.0/24': 'Bath' });
  const made = await next(t, { outputDir, base, keep: 1 }, [2_000_000, content]);
  t.equal(made.manifest.deltas, undefined);
  t.notOk(existsSync(join(made.dir, 'changes')));
});

t.test('a night with many changes begins a new sequence, and the log says why', async (t) => {
  const outputDir = t.testdir();
  const base = await next(t, { outputDir }, [1_000_000, cities()]);
  const renamed = Object.fromEntries(
    NETWORKS.map((network, i) => [network, `${sha256Text(`name ${i}`)}${sha256Text(`more ${i}`)}`]),
  );
  const made = await next(t, { outputDir, base }, [2_000_000, renamed]);
  t.equal(made.manifest.deltas, undefined);
  t.match(made.logged, [
    /^no changes of download\/geo\.mmdb since .*: the delta has \d+ bytes, the file \d+$/,
  ]);
});

t.test('after a rollback the same serial is another session', async (t) => {
  const outputDir = t.testdir();
  const base = await next(t, { outputDir }, [1_000_000, cities()]);
  const bad = await next(t, { outputDir, base }, [2_000_000, cities({ '10.0.5.0/24': 'Bad' })]);
  const good = await next(t, { outputDir, base }, [3_000_000, cities({ '10.0.5.0/24': 'Good' })]);
  const [before, after] = [bad.manifest.deltas![0]!, good.manifest.deltas![0]!];
  t.equal(before.serial, after.serial);
  t.not(before.session, after.session);
});

/** Writes tonight's file for download as a job does, and runs the job that makes its changes. Returns the kept deltas. */
async function changesJob(
  outputDir: string,
  [buildEpoch, content]: readonly [number, Cities],
  keepReleases = 7,
): Promise<{ readonly kept: readonly string[]; readonly logged: readonly string[] }> {
  const folder = 'parts/geo-download-1';
  const [file] = writeRelease(join(outputDir, 'cache', folder), buildEpoch, content).files;
  const good = { passed: true, found: 'good' };
  const made = {
    folder,
    file: { file, examination: { tree: good, schema: good, canaries: [] } },
    counters: {},
  };
  const logged: string[] = [];
  await findChanges(
    { dataset: 'geo' },
    {
      settings: { outputDir, keepReleases } as BuildSettings,
      progress: () => undefined,
      log: (line) => logged.push(line),
      children: { 'write:download': { made } },
    },
  );
  const parts = join(outputDir, 'cache/parts');
  const folders = readdirSync(parts).filter((name) => name.startsWith('changes-'));
  return { kept: folders.map((name) => join(parts, name)), logged };
}

t.test('a delta that an earlier job has made is linked, also after a killed run', async (t) => {
  const outputDir = t.testdir();
  const tonight = [2_000_000, cities({ '10.0.5.0/24': 'Bath' })] as const;
  t.same((await changesJob(outputDir, tonight)).kept, [], 'without a last release there is nothing to do');
  const base = await next(t, { outputDir }, [1_000_000, cities()]);
  symlinkSync(base.dir, join(outputDir, 'current'));
  t.same((await changesJob(outputDir, tonight, 1)).kept, [], 'nor if no other release is kept');
  t.same((await changesJob(outputDir, [1_000_000, cities()])).kept, [], 'nor for an unchanged file');
  const [kept] = (await changesJob(outputDir, tonight)).kept;
  const inodeOf = (dir: string, name: string): number => statSync(join(dir, name)).ino;
  const inode = inodeOf(kept!, 'result.json');
  t.same((await changesJob(outputDir, tonight)).kept, [kept]);
  t.equal(inodeOf(kept!, 'result.json'), inode, 'it is made once');
  const made = await next(t, { outputDir, base }, tonight);
  const [delta] = made.manifest.deltas![0]!.deltas;
  t.match(delta, { serial: 2, changes: 1 });
  for (const { name } of [delta!, delta!.rows]) t.equal(inodeOf(made.dir, name), inodeOf(kept!, name), name);
});

t.test('a damaged file of the last release has no changes, and does not stop the build', async (t) => {
  const outputDir = t.testdir();
  const base = await next(t, { outputDir }, [1_000_000, cities()]);
  symlinkSync(base.dir, join(outputDir, 'current'));
  appendFileSync(join(base.dir, 'download/geo.mmdb'), 'x');
  const tonight = [2_000_000, cities({ '10.0.5.0/24': 'Bath' })] as const;
  t.same(await changesJob(outputDir, tonight), { kept: [], logged: [] });
  const made = await next(t, { outputDir, base }, tonight);
  t.equal(made.manifest.deltas, undefined);
  t.match(made.logged, [/^no changes of download\/geo\.mmdb since .*geo\.mmdb/]);
});

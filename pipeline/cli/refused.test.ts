import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { geolite2Contents, SNAPSHOT } from '../../fixtures/generate/geolite2.js';
import { zipFile } from '../../fixtures/generate/zip-file.js';
import type { ManifestRefusal } from '../release/contract.js';
import {
  build,
  copyFeeds,
  copyOutput,
  geoPath,
  inputFile,
  ipatlas,
  ipatlasProcess,
  openGeo,
  outputFolder,
  PROJECT,
  served,
  sha256,
  unfinished,
} from './testing/command-line.js';

const EPOCH = '1795046400';
const ZIP = `geolite2/${SNAPSHOT}.zip`;
const BLOCKS = `${SNAPSHOT}/GeoLite2-City-Blocks-IPv4.csv`;
const HTML =
  '<!DOCTYPE html>\n<html><head><title>503</title></head><body>Service Unavailable</body></html>\n';

const GOOD = outputFolder(t);
await build(t, { FEEDS: copyFeeds(t), OUTPUT: GOOD, SOURCE_DATE_EPOCH: EPOCH });

/** New contents of some fixtures, by file. */
type Damage = Readonly<Record<string, (good: Buffer) => Buffer | Promise<Buffer>>>;

interface Refusal {
  readonly file: string;
  readonly refusal: ManifestRefusal['refusal'];
  readonly found: RegExp;
  /** The last good copy by default. */
  readonly usedInstead?: ManifestRefusal['usedInstead'];
}

/** Rebuilds GeoLite2's zip with edited lines of its IPv4 blocks; the header is the first line. */
async function rebuild(edit: (lines: string[]) => string[]): Promise<Buffer> {
  const contents = await geolite2Contents(PROJECT);
  return zipFile(
    contents.map(({ name, bytes }) => {
      if (name !== BLOCKS) return { name, bytes };
      const lines = bytes.toString('latin1').split('\n');
      return { name, bytes: Buffer.from(edit(lines).join('\n'), 'latin1') };
    }),
  );
}

async function damagedFeeds(t: Test, damage: Damage): Promise<string> {
  const dir = copyFeeds(t);
  for (const [file, make] of Object.entries(damage)) {
    const path = join(dir, file);
    writeFileSync(path, await make(readFileSync(path)));
  }
  return dir;
}

const NIGHTS: readonly {
  readonly name: string;
  readonly damage: Damage;
  readonly refused: readonly Refusal[];
}[] = [
  {
    name: 'a tenth of the rows dirty',
    damage: { [ZIP]: () => rebuild((lines) => lines.map((line, n) => (n % 10 === 5 ? `x${line}` : line))) },
    refused: [{ file: ZIP, refusal: 'tolerance', found: /rows rejected \(.*address \d+.*tolerance 1 %/ }],
  },
  {
    name: 'a file that shrank to less than half',
    damage: { [ZIP]: () => rebuild((lines) => lines.slice(0, 100)) },
    refused: [{ file: ZIP, refusal: 'shrunk', found: /rows; the last good copy had 1119/ }],
  },
  {
    name: 'a CSV without a column, a geofeed that is a web page, a torn delegation file, a garbled registry',
    damage: {
      [ZIP]: () => rebuild(([header, ...rows]) => [header!.replace('geoname_id', 'place'), ...rows]),
      'own/geofeeds/365hosting.csv': () => Buffer.from(HTML),
      'rir/delegated-lacnic-extended-latest': (good) => good.subarray(0, good.length / 2),
      'iana/iana-ipv4-special-registry.xml': () => Buffer.from('<registry><record>'),
    },
    refused: [
      { file: ZIP, refusal: 'header', found: /geoname_id/ },
      { file: 'own/geofeeds/365hosting.csv', refusal: 'container', found: /HTML page/ },
      { file: 'rir/delegated-lacnic-extended-latest', refusal: 'truncated', found: /\w/ },
      {
        file: 'iana/iana-ipv4-special-registry.xml',
        refusal: 'header',
        found: /\w/,
        // The last good copy is the bundled one.
        usedInstead: 'bundled copy',
      },
    ],
  },
];

for (const { name, damage, refused } of NIGHTS) {
  t.test(`${name}: refused with the reason, and the last good copy used`, async (t) => {
    const OUTPUT = copyOutput(t, GOOD);
    const FEEDS = await damagedFeeds(t, damage);
    const { code, stdout, stderr } = await ipatlas(t, { FEEDS, OUTPUT, SOURCE_DATE_EPOCH: EPOCH }, 'build');
    t.equal(code, 3, 'exit code', { stderr });
    const { id, manifest } = await served(OUTPUT);
    t.match(stdout, `Published ${id} in `);
    const refusals = manifest.inputs.flatMap((input) => input.refusals);
    t.same(new Set(refusals.map(({ file }) => file)), new Set(refused.map(({ file }) => file)));
    for (const { file, refusal, found, usedInstead = 'last good copy' } of refused) {
      t.match(
        refusals.find((one) => one.file === file),
        { refusal, found, usedInstead },
      );
      const lines = stdout.split('\n').filter((line) => line.startsWith(`REFUSED ${file}: ${refusal}: `));
      t.equal(lines.length, 1, `${file} is reported once`);
      t.match(lines[0], found);
      const refusing = manifest.inputs.filter((input) => input.refusals.some((one) => one.file === file));
      for (const { feed } of refusing) {
        t.equal(
          inputFile(manifest, feed, file).lastGood,
          usedInstead === 'last good copy',
          `${feed}: ${file}`,
        );
      }
    }
    t.equal(sha256(geoPath(OUTPUT)), sha256(geoPath(GOOD)), 'the same answers as before');
    t.not(id, (await served(GOOD)).id);
    t.same(unfinished(OUTPUT), []);
  });
}

t.test('on the first build a refused feed is left out, and on the next build it is used', async (t) => {
  const OUTPUT = outputFolder(t);
  const FEEDS = await damagedFeeds(t, { [ZIP]: () => Buffer.from(HTML) });
  const { code, stdout, stderr } = await ipatlas(t, { FEEDS, OUTPUT }, 'build');
  t.equal(code, 3, 'exit code', { stderr });
  t.match(stdout, /^REFUSED geolite2\/\S+: container: .*HTML page.*\. Used instead: nothing$/m);
  t.match(stdout, /^geolite2 +0 +0 +none$/m);
  const get = openGeo(OUTPUT);
  t.match(get('8.8.8.8'), { country: { iso_code: 'US' } });
  t.match(get('1.0.1.1'), { country: { iso_code: 'CN' } });
  t.notOk(get('1.0.1.1')?.city);
  const before = await served(OUTPUT);
  await build(t, { FEEDS: copyFeeds(t), OUTPUT });
  const { id, manifest } = await served(OUTPUT);
  t.not(id, before.id);
  const coverage = manifest.gates.find(({ name }) => name === 'coverage');
  t.match(coverage, { passed: true, found: /geo\.mmdb IPv4 addresses .* of it from new feeds or files\)/ });
  t.match(openGeo(OUTPUT)('1.0.1.1'), { city: { names: { en: 'Guangzhou' } } });
});

t.test('a file that stays bad is reported by every build, and published once', async (t) => {
  const OUTPUT = copyOutput(t, GOOD);
  const FEEDS = await damagedFeeds(t, { [ZIP]: () => Buffer.from(HTML) });
  await ipatlas(t, { FEEDS, OUTPUT, SOURCE_DATE_EPOCH: EPOCH }, 'build');
  const first = await served(OUTPUT);
  t.not(first.id, (await served(GOOD)).id);
  t.equal(sha256(geoPath(OUTPUT)), sha256(geoPath(GOOD)), 'the same answers as before');
  const { code, stdout, stderr } = await ipatlas(t, { FEEDS, OUTPUT }, 'build');
  t.equal(code, 3, 'exit code', { stderr });
  t.match(stdout, /^REFUSED geolite2\/\S+: container: .*HTML page.*\. Used instead: last good copy$/m);
  t.match(stdout, `Nothing new: release ${first.id} has the same inputs`);
  t.same(await served(OUTPUT), first);
  const another = await damagedFeeds(t, { [ZIP]: (good) => good.subarray(0, good.length - 1000) });
  const torn = await ipatlas(t, { FEEDS: another, OUTPUT, SOURCE_DATE_EPOCH: EPOCH }, 'build');
  t.equal(torn.code, 3, 'exit code', { stderr: torn.stderr });
  t.match(torn.stdout, /^REFUSED geolite2\/\S+: truncated: .*end.* Used instead: last good copy$/im);
  const { id, manifest } = await served(OUTPUT);
  t.not(id, first.id, 'another fault gives another release');
  t.ok(inputFile(manifest, 'geolite2', ZIP).lastGood);
  t.equal(sha256(geoPath(OUTPUT)), sha256(geoPath(GOOD)), 'the same answers as before');
  t.same(unfinished(OUTPUT), []);
});

t.test('on the first build the bundled copy replaces a damaged IANA registry', async (t) => {
  const OUTPUT = outputFolder(t);
  const file = 'iana/iana-ipv6-special-registry.xml';
  const FEEDS = await damagedFeeds(t, { [file]: () => Buffer.from(HTML) });
  const { code, stdout, stderr } = await ipatlasProcess(
    t,
    { FEEDS, OUTPUT, SOURCE_DATE_EPOCH: EPOCH },
    'build',
  );
  t.equal(code, 3, 'exit code', { stderr });
  const lines = stdout.split('\n').filter((line) => line.startsWith(`REFUSED ${file}: header: `));
  t.equal(lines.length, 1);
  t.match(lines[0], /Used instead: bundled copy$/);
  const { id, manifest } = await served(OUTPUT);
  t.equal(inputFile(manifest, 'own', file).sha256, sha256(join(PROJECT, 'fixtures/feeds', file)));
  t.equal(sha256(geoPath(OUTPUT)), sha256(geoPath(GOOD)), 'the same answers');
  t.equal((await ipatlas(t, { FEEDS, OUTPUT }, 'build')).code, 3);
  t.equal((await served(OUTPUT)).id, id, 'the next build reports the same');
});

t.test('a missing delegation file is replaced and reported, a missing geofeed is dropped', async (t) => {
  const OUTPUT = copyOutput(t, GOOD);
  const FEEDS = copyFeeds(t);
  const delegated = 'rir/delegated-lacnic-extended-latest';
  rmSync(join(FEEDS, delegated));
  rmSync(join(FEEDS, 'own/geofeeds/365hosting.csv'));
  const { code, stdout, stderr } = await ipatlas(t, { FEEDS, OUTPUT }, 'build');
  t.equal(code, 3, 'exit code', { stderr });
  t.match(stdout, /^REFUSED rir\/delegated-lacnic\S+: missing: .* Used instead: last good copy$/m);
  t.match(
    stderr,
    /Z ingest:own: withdrawn since the last release and left out: own\/geofeeds\/365hosting\.csv$/m,
  );
  const { manifest } = await served(OUTPUT);
  t.ok(inputFile(manifest, 'own', delegated).lastGood);
  t.throws(() => inputFile(manifest, 'own', 'own/geofeeds/365hosting.csv'));
});

t.test('a bad row of the overrides is reported with its line, and the other rows are used', async (t) => {
  const FEEDS = copyFeeds(t);
  const OUTPUT = outputFolder(t);
  const path = join(FEEDS, 'own/overrides.csv');
  writeFileSync(path, 'prefix,country,region,city\n9.9.9.0/24,CH,,\n8.8.8/24,US,,\n9.9.10.0/24,XX,,\n');
  const { code, stdout } = await ipatlas(t, { FEEDS, OUTPUT }, 'build');
  t.equal(code, 0);
  t.match(stdout, /^BAD ROW own\/overrides\.csv line 3: address: 8\.8\.8\/24,US,,$/m);
  t.match(stdout, /^BAD ROW own\/overrides\.csv line 4: country: 9\.9\.10\.0\/24,XX,,$/m);
  t.match(openGeo(OUTPUT)('9.9.9.9'), { country: { iso_code: 'CH' } });
});

t.test('fixtures are never last good copies of real files', async (t) => {
  const OUTPUT = outputFolder(t);
  await build(t, { OUTPUT });
  const FEEDS = copyFeeds(t);
  rmSync(join(FEEDS, 'own/overrides.csv'));
  appendFileSync(join(FEEDS, 'own/geofeeds/365hosting.csv'), '9.9.9.0/24,CH,,,\n8.8.8.0/24,US,,,\n');
  const { code, stdout, stderr } = await ipatlas(t, { FEEDS, OUTPUT }, 'build');
  t.equal(code, 0, 'exit code', { stderr });
  t.notMatch(stdout, 'REFUSED');
  const { manifest } = await served(OUTPUT);
  t.throws(() => inputFile(manifest, 'own', 'own/overrides.csv'));
});

t.test('an empty folder does not fail the build: all last good copies are used', async (t) => {
  const OUTPUT = copyOutput(t, GOOD);
  const settings = { FEEDS: outputFolder(t), OUTPUT, SOURCE_DATE_EPOCH: EPOCH };
  const { code, stdout, stderr } = await ipatlas(t, settings, 'build');
  t.equal(code, 3, 'exit code', { stderr });
  t.match(stdout, /^REFUSED own: missing: none of its files exists\. Used instead: last good copy$/m);
  t.match(stdout, /^REFUSED geolite2\/\S+: missing: /m);
  t.equal(sha256(geoPath(OUTPUT)), sha256(geoPath(GOOD)), 'the same answers as before');
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { geolite2Contents, SNAPSHOT } from '../../fixtures/generate/geolite2.js';
import { zipFile } from '../../fixtures/generate/zip-file.js';
import {
  build,
  copyFeeds,
  copyOutput,
  ipatlas,
  ipatlasProcess,
  openGeo,
  outputFolder,
  PROJECT,
  served,
} from './testing/command-line.js';

const FEEDS = copyFeeds(t);
// Other feeds would fill the gap.
const BUILD_FEEDS = 'geolite2';
const OLD = outputFolder(t);
await build(t, { FEEDS, BUILD_FEEDS, OUTPUT: OLD });
await shrink(FEEDS);
const OUTPUT = copyOutput(t, OLD);

t.test('a failed gate stops the publication, and the message names it', async (t) => {
  const { code, stdout, stderr } = await ipatlasProcess(t, { FEEDS, BUILD_FEEDS, OUTPUT }, 'build');
  t.equal(code, 1, 'exit code', { stderr });
  t.equal(stdout, '');
  t.match(
    stderr,
    /^ipatlas: publish failed: GateError: not published: gate "coverage": geo\.mmdb IPv4 addresses .*--accept "<gate>"/m,
  );
  t.equal((await served(OUTPUT)).id, (await served(OLD)).id);
});

t.test('accepting another gate changes nothing', async (t) => {
  const { code, stderr } = await ipatlas(t, { FEEDS, BUILD_FEEDS, OUTPUT }, 'build', '--accept', 'canaries');
  t.equal(code, 1);
  t.match(stderr, 'gate "coverage"');
});

t.test('an accepted gate lets the release through, and the manifest says so', async (t) => {
  const { code, stderr } = await ipatlas(t, { FEEDS, BUILD_FEEDS, OUTPUT }, 'build', '--accept', 'coverage');
  t.equal(code, 0, 'exit code', { stderr });
  const { id, manifest } = await served(OUTPUT);
  t.not(id, (await served(OLD)).id);
  const coverage = manifest.gates.find(({ name }) => name === 'coverage');
  t.match(coverage, { passed: true, found: /\(accepted by hand\)$/ });
  t.ok(openGeo(OLD)('2.0.0.1')?.city);
  t.notOk(openGeo(OUTPUT)('2.0.0.1')?.city, 'the new release does not contain this network');
});

t.test('unknown gates and verifiers cannot be accepted', async (t) => {
  for (const gate of ['covrage', 'tree verifies', 'schema']) {
    const { code, stderr } = await ipatlas(t, { FEEDS, BUILD_FEEDS, OUTPUT }, 'build', '--accept', gate);
    t.equal(code, 64, gate, { stderr });
    t.match(
      stderr,
      new RegExp(
        `'${gate}' is invalid.*row counts, coverage, routing table, proxies, accuracy, canaries\\.$`,
        'm',
      ),
    );
  }
});

/** Removes the largest networks of GeoLite2's IPv4 blocks: few rows, but half of the addresses. */
async function shrink(dir: string): Promise<void> {
  const contents = await geolite2Contents(PROJECT);
  const smaller = contents.map(({ name, bytes }) => {
    if (!name.endsWith('Blocks-IPv4.csv')) return { name, bytes };
    const rows = bytes.toString('latin1').split('\n');
    const kept = rows.filter((row) => !/^[\d.]+\/(9|1[0-2]),/.test(row));
    return { name, bytes: Buffer.from(kept.join('\n'), 'latin1') };
  });
  writeFileSync(join(dir, 'geolite2', `${SNAPSHOT}.zip`), zipFile(smaller));
}

import { appendFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { verifyRelease } from '../release/verify-release.js';
import { build, copyFeeds, copyOutput, ipatlas, outputFolder, served } from './testing/command-line.js';

const counted = (count: number, row: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `${row(n + 1)}\n`).join('');

const EPOCH = '1795046400';

/** Writes a share of each list: more than half, because a smaller file would be refused as shrunk. */
function writeLists(dir: string, share: number): void {
  const lists = {
    'tor/torbulkexitlist': counted(60 * share, (n) => `185.220.101.${n}`),
    'x4bnet/vpn/ipv4.txt': counted(20 * share, (n) => `${90 + n}.32.0.0/16`),
    // Not read by the feed `own`, so that places do not change.
    'cloud/google.csv': counted(20 * share, (n) => `104.${n}.0.0/16,NL,NL-NH,Amsterdam,`),
  };
  for (const [file, text] of Object.entries(lists)) {
    rmSync(join(dir, dirname(file)), { recursive: true, force: true });
    mkdirSync(join(dir, dirname(file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
}

const FEEDS = copyFeeds(t);
writeLists(FEEDS, 1);
const OUTPUT = outputFolder(t);
const settings = { BUILD_FEEDS: 'own,geolite2,tor,x4bnet,digitalocean', FEEDS };
await build(t, { ...settings, OUTPUT, SOURCE_DATE_EPOCH: EPOCH });

t.test('lists that all shrink at once keep back isp.mmdb only', async (t) => {
  const other = copyOutput(t, OUTPUT);
  const before = await served(other);
  writeLists(FEEDS, 0.6);
  const night = { ...settings, OUTPUT: other, SOURCE_DATE_EPOCH: EPOCH };
  const alone = await ipatlas(t, night, 'build');
  t.equal(alone.code, 1, 'nothing else is new');
  t.match(alone.stderr, /gate "coverage": isp\.mmdb IPv4 addresses /);
  t.equal((await served(other)).id, before.id);

  appendFileSync(join(FEEDS, 'own/overrides.csv'), '24.129.77.0/24,CA,,,,,,,\n');
  const { code, stdout } = await ipatlas(t, night, 'build');
  t.equal(code, 3);
  t.match(stdout, /^NOT PUBLISHED isp\.mmdb: gate "coverage": isp\.mmdb .* is kept$/m);
  const after = await served(other);
  await verifyRelease(after.dir);
  const { manifest } = after;
  t.not(manifest.datasets!.geo!.key, before.manifest.datasets!.geo!.key, 'new places');
  t.same(manifest.datasets!.isp, before.manifest.datasets!.isp, 'isp.mmdb of the last release');
  const [old, now] = [before, after].map(({ dir }) => statSync(join(dir, 'isp.mmdb')).ino);
  t.equal(now, old, 'the same file');
  t.match(
    manifest.gates.find(({ name }) => name === 'coverage'),
    {
      passed: true,
      found: new RegExp(`^isp\\.mmdb .*\\(so the ISP dataset of ${before.id} was kept\\)$`),
    },
  );
  const rowsOf = (feed: string) => manifest.inputs.find((input) => input.feed === feed)!.files[0]!.rows;
  t.equal(rowsOf('tor'), 60, 'its inputs are those of the last release');
});

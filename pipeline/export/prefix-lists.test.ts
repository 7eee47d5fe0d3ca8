import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openDataset } from './dataset.js';
import { ExportError } from './export-error.js';
import { networksOf, type Networks } from './networks.js';
import { exportIpset, exportNft, exportNginx } from './prefix-lists.js';
import { joinPrefixes } from './joined-prefixes.js';
import { formatPrefix, parsePrefix } from '../net/prefix.js';
import { writeDatasets } from './testing/small-datasets.js';

const dir = t.testdir();
writeDatasets(dir);

const geo = await openDataset(join(dir, 'geo.mmdb'));
const isp = await openDataset(join(dir, 'isp.mmdb'));
const source = { dataset: geo, networks: () => networksOf(geo) };

/** Returns networks of texts like `1.0.0.0/24 CN`; the offset is the index of the text. */
function listed(texts: readonly string[]): Networks {
  const prefixes = texts.map((text) => parsePrefix(text.split(' ')[0]!)!);
  let at = -1;
  return {
    get address() {
      return prefixes[at]!.address;
    },
    get length() {
      return prefixes[at]!.length;
    },
    get offset() {
      return at;
    },
    next: () => ++at < prefixes.length,
  };
}

function joined(...texts: readonly string[]): string[] {
  const found: string[] = [];
  joinPrefixes(
    listed(texts),
    (at) => texts[at]!.split(' ')[1],
    (address, length, value) => found.push(`${formatPrefix(address, length)} ${value}`),
  );
  return found;
}

t.test('neighbours of equal value are joined to the fewest prefixes', (t) => {
  t.same(joined('1.0.0.0/24 a', '1.0.1.0/24 a', '1.0.2.0/24 a', '1.0.3.0/25 b'), [
    '1.0.0.0/23 a',
    '1.0.2.0/24 a',
    '1.0.3.0/25 b',
  ]);
  t.same(joined('1.0.0.0/24 a', '1.0.2.0/24 a'), ['1.0.0.0/24 a', '1.0.2.0/24 a']);
  t.same(joined('1.0.0.0/24 a', '1.0.1.0/24'), ['1.0.0.0/24 a']);
  t.same(joined('0.0.0.0/1 a', '128.0.0.0/1 a'), ['0.0.0.0/0 a']);
  t.same(joined('255.0.0.0/8 a', '::1:0:0:0/96 a'), ['255.0.0.0/8 a', '::1:0:0:0/96 a']);
  t.same(joined('8000::/1 a'), ['8000::/1 a']);
  t.same(joined(), []);
  t.end();
});

const withoutProgram = (name: string): string | false =>
  existsSync(`/usr/sbin/${name}`) ? false : `${name} is not installed`;

t.test('nginx has a geo block with the country of each prefix', async (t) => {
  const path = join(dir, 'geo.conf');
  const [written] = await exportNginx(source, path, { name: 'country' });
  t.equal(written!.rows, 5);
  const text = readFileSync(path, 'utf8');
  t.match(text, '# Terms: ');
  t.match(text, 'geo $country {\n  default "";\n  1.0.0.0/23 CN;\n  1.0.2.0/24 CN;\n  8.8.0.0/16 US;\n');
  await t.rejects(
    exportNginx({ dataset: isp, networks: () => networksOf(isp) }, path, { name: 'x' }),
    ExportError,
  );
});

t.test('nginx accepts the block and answers from it', { skip: withoutProgram('nginx') }, async (t) => {
  const map = join(dir, 'proxy.conf');
  await exportNginx({ dataset: isp, networks: () => networksOf(isp) }, map, {
    name: 'proxy',
    value: 'proxy',
  });
  const config = join(dir, 'nginx.conf');
  writeFileSync(
    config,
    `pid ${dir}/nginx.pid; error_log stderr; events {} http { access_log off; include ${map}; include ${dir}/geo.conf; }`,
  );
  const { status, stderr } = spawnSync('/usr/sbin/nginx', ['-t', '-c', config, '-p', dir], {
    encoding: 'utf8',
  });
  t.match(stderr, /syntax is ok/);
  t.equal(status, 0);
});

t.test('ipset has one set per family, and the counts of their elements', async (t) => {
  const path = join(dir, 'geo.ipset');
  const [written] = await exportIpset(source, path, { name: 'listed' });
  t.equal(written!.rows, 5);
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  t.same(lines.slice(0, 3), [
    'create listed-v4 hash:net family inet hashsize 1024 maxelem 65536',
    'create listed-v6 hash:net family inet6 hashsize 1024 maxelem 65536',
    'add listed-v4 1.0.0.0/23',
  ]);
  const whole = { dataset: geo, networks: () => listed(['0.0.0.0/0 a']) };
  await exportIpset(whole, path, { name: 'whole' });
  t.match(readFileSync(path, 'utf8'), 'add whole-v4 0.0.0.0/1\nadd whole-v4 128.0.0.0/1\n');
});

/** Why the kernel does not let this process use a firewall; false when it does. */
function withoutKernel(program: string, ...args: readonly string[]): string | false {
  if (withoutProgram(program) !== false) return withoutProgram(program);
  const { status, stderr } = spawnSync(`/usr/sbin/${program}`, args, { encoding: 'utf8' });
  return status === 0 ? false : `the kernel refuses ${program}: ${stderr.trim()}`;
}

t.test('ipset restores the file', { skip: withoutKernel('ipset', 'list', '-n') }, async (t) => {
  const name = `ipatlas${process.pid}`;
  const path = join(dir, 'restore.ipset');
  await exportIpset(source, path, { name });
  t.teardown(() => {
    for (const family of ['v4', 'v6']) spawnSync('/usr/sbin/ipset', ['destroy', `${name}-${family}`]);
  });
  execFileSync('/usr/sbin/ipset', ['restore', '-file', path]);
  t.equal(spawnSync('/usr/sbin/ipset', ['test', `${name}-v4`, '8.8.4.4']).status, 0);
  t.not(spawnSync('/usr/sbin/ipset', ['test', `${name}-v4`, '9.9.9.9']).status, 0);
});

t.test('nftables has one set per family', async (t) => {
  const path = join(dir, 'geo.nft');
  const [written] = await exportNft(source, path, { name: 'listed' });
  t.equal(written!.rows, 5);
  const text = readFileSync(path, 'utf8').replace(/^#.*\n/gm, '');
  t.match(text, 'table inet listed {\n  set listed_v4 {\n    type ipv4_addr\n    flags interval\n');
  t.match(text, '    elements = {\n      1.0.0.0/23,\n      1.0.2.0/24,\n      8.8.0.0/16\n    }\n  }\n');
  await exportNft({ dataset: geo, networks: () => listed([]) }, path, { name: 'none' });
  t.notMatch(readFileSync(path, 'utf8'), 'elements');
});

t.test('nft checks the file', { skip: withoutKernel('nft', '-c', 'add table inet ipatlas') }, async (t) => {
  const path = join(dir, 'check.nft');
  for (const networks of [source.networks, () => listed(['0.0.0.0/0 a']), () => listed([])]) {
    await exportNft({ dataset: geo, networks }, path, { name: 'listed' });
    t.equal(spawnSync('/usr/sbin/nft', ['-c', '-f', path], { encoding: 'utf8' }).stderr, '');
  }
});

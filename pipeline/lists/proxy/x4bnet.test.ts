import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { tryContents, tryFiles } from '../testing/list-trial.js';
import { REAL_FILES, withoutReal } from '../../input/testing/real-files.js';
import { refusalsOf } from '../../input/testing/refusals.js';
import { X4BNET } from './x4bnet.js';

const VPN = 'x4bnet/vpn/ipv4.txt';
const VPN6 = 'x4bnet/vpn/ipv6.txt';
const HOSTS = 'x4bnet/datacenter/ipv4.txt';
const HOSTS6 = 'x4bnet/datacenter/ipv6.txt';
const ALL = [VPN, VPN6, HOSTS, HOSTS6];

t.test('a network is a VPN, a data centre, or both', async (t) => {
  const trial = await tryFiles(X4BNET, ALL);
  t.same(trial.claimAt('146.75.128.1'), { type: 'VPN' }, 'a relay of Apple, which this list has as a VPN');
  t.same(trial.claimAt('5.9.1.1'), { type: 'DCH', isHosting: true });
  t.same(trial.claimAt('37.120.129.1'), { type: 'VPN', isHosting: true });
  t.same(trial.claimAt('185.220.101.33'), { type: 'VPN', isHosting: true }, 'a Tor exit');
  t.equal(trial.claimAt('1.1.1.1'), undefined);
});

t.test(
  'comments, host bits, bare addresses and a missing line end are read, and bad rows counted',
  async (t) => {
    const trial = await tryFiles(X4BNET, ALL);
    t.same(trial.claimAt('37.120.160.200')?.type, 'VPN');
    t.same(trial.claimAt('37.120.161.7')?.type, 'VPN');
    t.equal(trial.claimAt('37.120.161.8'), undefined);
    t.same(trial.claimAt('37.120.162.1')?.type, 'VPN');
    t.same(trial.claimAt('95.216.1.1')?.type, 'DCH', 'the last line');
    t.match(trial.rejections(VPN), [/^encoding@\d+$/]);
    t.equal(trial.tally(VPN).notes['host-bits'], 1);
    t.match(trial.rejections(HOSTS), [/^reserved@\d+$/]);
    for (const id of ALL) {
      const { rows, rejected } = trial.tally(id);
      t.ok(rejected <= rows * X4BNET.tolerance, `${id} is within the tolerance`);
    }
  },
);

t.test('an overlap of VPN and data centre is both, in either nesting', async (t) => {
  const trial = await tryContents(t, X4BNET, {
    [VPN]: '5.9.0.0/24\n37.120.0.0/16\n',
    [HOSTS]: '5.9.0.0/16\n37.120.1.0/24\n',
  });
  t.same(trial.claimAt('5.9.0.1'), { type: 'VPN', isHosting: true });
  t.same(trial.claimAt('5.9.1.1'), { type: 'DCH', isHosting: true });
  t.same(trial.claimAt('37.120.1.1'), { type: 'VPN', isHosting: true });
  t.same(trial.claimAt('37.120.2.1'), { type: 'VPN' });
});

t.test('unusable lists are refused together', async (t) => {
  const contents = { [VPN]: '5.9.0.0/16\n0.0.0.0/0\n', [HOSTS6]: '<html>', [VPN6]: '2000::/3\n' };
  t.same(await refusalsOf(tryContents(t, X4BNET, contents)), [
    `${VPN} too-wide`,
    `${HOSTS6} container`,
    `${VPN6} too-wide`,
  ]);
  const trial = await tryContents(t, X4BNET, { [VPN]: 'one\n5.9.0.0/33\n1.2.3\n' });
  t.same(trial.rejections(VPN), ['address@1', 'address@2', 'address@3']);
});

t.test('files are in the folders of the publisher', (t) => {
  t.same(
    X4BNET.files.map(({ folder, name, download }) => [`${folder}/${name}`, download!.url]),
    ALL.map((id) => [
      id,
      `https://raw.githubusercontent.com/X4BNet/lists_vpn/main/output/${id.slice('x4bnet/'.length)}`,
    ]),
  );
  t.end();
});

t.test('the real lists are read completely', { skip: withoutReal(ALL) }, async (t) => {
  const trial = await tryFiles(X4BNET, ALL, REAL_FILES);
  const lines = ALL.map((id) => readFileSync(join(REAL_FILES, id), 'utf8').trimEnd().split('\n').length);
  t.same(lines, [10_862, 498, 42_566, 8_752]);
  t.same(
    ALL.map((id) => trial.tally(id).accepted),
    lines,
  );
  t.same(
    ALL.map((id) => trial.tally(id).rejected),
    [0, 0, 0, 0],
  );
  t.same(trial.claims.length, 3);
  t.same(trial.claimAt('146.75.128.1'), { type: 'VPN' });
  t.equal(trial.claimAt('104.16.0.1'), undefined, 'no edge of Cloudflare is in it');
});

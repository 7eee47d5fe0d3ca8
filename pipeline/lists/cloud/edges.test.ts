import t from 'tap';
import { CLOUDFLARE } from './cloudflare.js';
import { FASTLY } from './fastly.js';
import {
  countAddresses,
  fixtureText,
  refusalOf,
  refused,
  refusesDamaged,
  tryFixtures,
  tryPublished,
  tryText,
  withoutPublished,
} from './testing/cloud-trial.js';

const CLOUDFLARE_FILES = ['ips-v4', 'ips-v6'] as const;
const FASTLY_FILE = 'public-ip-list';

t.test('Cloudflare’s networks are edges of a CDN', async (t) => {
  const trial = await tryFixtures(CLOUDFLARE, ...CLOUDFLARE_FILES);
  const edge = { cloud: 'Cloudflare', usageType: 'CDN', isEdge: true, service: 'CDN' };
  t.same(trial.claimAt('104.16.0.1'), edge);
  t.same(trial.claimAt('2606:4700::1'), edge);
  t.equal(trial.claimAt('104.28.0.1')?.cloud, undefined, 'exits of relays are not among them');
  t.match(trial.tally('cloud/ips-v4'), { rows: 15, rejected: 0 });
  t.match(trial.tally('cloud/ips-v6'), { rows: 7, rejected: 0 });
});

t.test('the last line may lack a line end', async (t) => {
  t.notOk(fixtureText('ips-v4').endsWith('\n'));
  const trial = await tryFixtures(CLOUDFLARE, 'ips-v4');
  t.match(trial.claimAt('131.0.72.1'), { cloud: 'Cloudflare' });
  const others = await tryText(t, CLOUDFLARE, 'ips-v4', '\u{feff}104.16.0.0/13 \r\n\r\n# end\r\n');
  t.match(others.claimAt('104.16.0.1'), { cloud: 'Cloudflare' }, 'neither a BOM nor CRLF matters');
  t.equal(others.tally('cloud/ips-v4').rows, 1);
});

t.test('a bad line affects only itself', async (t) => {
  const text = '104.16.0.0/13\n104.24.0.0/41\n10.0.0.0/8\nerror\n104.16.0.0/13\n';
  const trial = await tryText(t, CLOUDFLARE, 'ips-v4', text);
  t.same(trial.rejections('cloud/ips-v4'), ['address@2', 'address@4', 'reserved@3']);
  t.match(trial.tally('cloud/ips-v4'), { rows: 5, notes: { duplicate: 1 } });
});

t.test('an HTML page, an empty file, or a prefix that is too wide is refused for Cloudflare', async (t) => {
  const refusal = (text: string) => refusalOf(t, CLOUDFLARE, 'ips-v4', text);
  t.equal(await refusal('<!doctype html><html></html>'), 'container');
  t.equal(await refusal(''), 'truncated');
  t.equal(await refusal('\n'), 'truncated');
  t.equal(await refusal('104.16.0.0/1'), 'too-wide', 'cut in the length');
  const wide = { 'cloud/ips-v4': '104.16.0.0/13', 'cloud/ips-v6': '2400::/12' };
  t.match(await refused(t, CLOUDFLARE, wide), { refusal: 'too-wide', file: 'cloud/ips-v6' });
});

t.test('Fastly’s networks are edges of a CDN', async (t) => {
  const fixture = await tryFixtures(FASTLY, FASTLY_FILE);
  const edge = { cloud: 'Fastly', usageType: 'CDN', isEdge: true, service: 'CDN' };
  t.same(fixture.claimAt('151.101.1.1'), edge);
  t.same(fixture.claimAt('2a04:4e40::1'), edge);
  t.match(fixture.tally(`cloud/${FASTLY_FILE}`), { rows: 21, rejected: 0 });
  const text = '{"addresses":["151.101.0.0/16",5,"x"],"ipv6_addresses":["2a04:4e40::/32"]}';
  const trial = await tryText(t, FASTLY, FASTLY_FILE, text);
  t.same(trial.rejections(`cloud/${FASTLY_FILE}`), ['address@3', 'json@2']);
  t.match(trial.claimAt('2a04:4e40::1'), edge);
});

t.test('a damaged file of Fastly is refused', (t) =>
  refusesDamaged(t, FASTLY, FASTLY_FILE, '151.101.0.0/16'),
);

t.test(
  'the real files of the publishers',
  { skip: withoutPublished(...CLOUDFLARE_FILES, FASTLY_FILE) },
  async (t) => {
    const cloudflare = await tryPublished(CLOUDFLARE, ...CLOUDFLARE_FILES);
    t.match(cloudflare.tally('cloud/ips-v4'), { rows: 15, rejected: 0, notes: {} });
    t.match(cloudflare.tally('cloud/ips-v6'), { rows: 7, rejected: 0, notes: {} });
    t.equal(countAddresses(cloudflare), 1_524_736);
    const fastly = await tryPublished(FASTLY, FASTLY_FILE);
    t.match(fastly.tally(`cloud/${FASTLY_FILE}`), { rows: 19 + 2, rejected: 0, notes: {} });
    t.equal(countAddresses(fastly), 304_128);
  },
);

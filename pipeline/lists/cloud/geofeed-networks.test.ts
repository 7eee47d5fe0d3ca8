import t from 'tap';
import { DIGITALOCEAN } from './digitalocean.js';
import { LINODE } from './linode.js';
import {
  countAddresses,
  inMillions,
  refusalOf,
  refusesDamaged,
  tryFixtures,
  tryPublished,
  tryText,
  withoutPublished,
} from './testing/cloud-trial.js';
import { VULTR } from './vultr.js';

const GOOGLE_CSV = 'google.csv';
const LINODE_TXT = 'linode.txt';
const VULTR_JSON = 'vultr.json';
const DIGITALOCEAN_CLAIM = { cloud: 'DigitalOcean', usageType: 'DCH' };

t.test('the city of a geofeed is the region of the cloud, and nothing else is read', async (t) => {
  const digitalocean = await tryFixtures(DIGITALOCEAN, GOOGLE_CSV);
  t.same(digitalocean.claimAt('46.101.0.1'), { ...DIGITALOCEAN_CLAIM, region: 'London' });
  t.same(digitalocean.claimAt('2604:a880:0:1010::1'), { ...DIGITALOCEAN_CLAIM, region: 'Secaucus' });
  t.same(digitalocean.claimAt('69.55.49.1'), { ...DIGITALOCEAN_CLAIM, region: 'North Bergen' }, 'nested');
  t.match(digitalocean.tally(`cloud/${GOOGLE_CSV}`), { rows: 12, rejected: 0, notes: {} });
  const linode = await tryFixtures(LINODE, LINODE_TXT);
  t.same(linode.claimAt('45.33.0.1'), { cloud: 'Linode', usageType: 'DCH', region: 'Richardson' });
  t.match(linode.claimAt('2600:3c12:b00::1'), { region: 'Auckland' }, 'leading zeros');
  t.match(linode.tally(`cloud/${LINODE_TXT}`), { rows: 8, rejected: 0, notes: {} });
  const vultr = await tryFixtures(VULTR, VULTR_JSON);
  t.same(vultr.claimAt('45.32.0.1'), { cloud: 'Vultr', usageType: 'DCH', region: 'Piscataway' });
  t.same(
    vultr.claimAt('208.72.154.8'),
    { cloud: 'Vultr', usageType: 'DCH' },
    'an empty city gives no region',
  );
  t.match(vultr.tally(`cloud/${VULTR_JSON}`), { rows: 9, rejected: 0, notes: {} });
});

t.test('the first line is a row: there is no header', async (t) => {
  const trial = await tryFixtures(DIGITALOCEAN, GOOGLE_CSV);
  t.match(trial.claimAt('5.101.96.1'), { region: 'Amsterdam' });
});

t.test('rows of every kind are read or rejected', async (t) => {
  const lines = [
    '# "comment, with a stray quote',
    '5.101.96.0/21,NL,NL-NH,Amsterdam,1098 XH',
    '5.101.104.0/22,US,US-DC,"Washington, D.C.",',
    '5.101.108.0/22',
    '5.101.112.1/22,NL,,,',
    'ip_prefix,alpha2code,region,city',
    '172.16.0.0/12,NL,,Amsterdam,',
    '5.101.116.0/22,NL,"Amsterdam',
    '5.101.120.0',
    ',,,,',
  ];
  const trial = await tryText(t, DIGITALOCEAN, GOOGLE_CSV, lines.join('\r\n'));
  t.same(trial.rejections(`cloud/${GOOGLE_CSV}`), ['address@10', 'address@6', 'quoting@8', 'reserved@7']);
  t.match(trial.tally(`cloud/${GOOGLE_CSV}`), { rows: 9, notes: { 'host-bits': 1 } });
  t.match(trial.claimAt('5.101.104.1'), { region: 'Washington, D.C.' });
  t.same(trial.claimAt('5.101.108.1'), DIGITALOCEAN_CLAIM);
  t.same(trial.claimAt('5.101.120.0'), DIGITALOCEAN_CLAIM);
});

t.test('reserved space in Vultr’s file is rejected', async (t) => {
  const reserved = ['2001:db8::/32', '2002::/16', '2001:2::/48', '2001:10::/28'];
  const subnets = [...reserved, '45.32.0.0/21'].map((ip_prefix) => ({ ip_prefix, city: null }));
  const trial = await tryText(t, VULTR, VULTR_JSON, JSON.stringify({ subnets: [...subnets, { city: 'x' }] }));
  t.same(trial.rejections(`cloud/${VULTR_JSON}`), ['json@6', 'reserved@1', 'reserved@2', 'reserved@3']);
  t.equal(trial.tally(`cloud/${VULTR_JSON}`).rejections.reserved?.count, reserved.length);
  t.equal(trial.table.networkCount(), 1);
});

t.test('damaged files are refused', async (t) => {
  await refusesDamaged(t, VULTR, VULTR_JSON, '45.32.0.0/21');
  for (const [list, name] of [
    [DIGITALOCEAN, GOOGLE_CSV],
    [LINODE, LINODE_TXT],
  ] as const) {
    t.equal(await refusalOf(t, list, name, '<html><body>Moved</body></html>'), 'container');
    t.equal(await refusalOf(t, list, name, ''), 'truncated');
    t.equal(await refusalOf(t, list, name, '# Last modified: 2026-11-18\n'), 'truncated', 'only comments');
    t.equal(await refusalOf(t, list, name, '0.0.0.0/0,,,,\n'), 'too-wide');
  }
});

t.test('the real files of the publishers', { skip: withoutPublished(GOOGLE_CSV, LINODE_TXT) }, async (t) => {
  const digitalocean = await tryPublished(DIGITALOCEAN, GOOGLE_CSV);
  t.match(digitalocean.tally(`cloud/${GOOGLE_CSV}`), { rows: 1_182, rejected: 0 });
  t.same(digitalocean.tally(`cloud/${GOOGLE_CSV}`).notes, {});
  t.equal(countAddresses(digitalocean), 3_012_352);
  const linode = await tryPublished(LINODE, LINODE_TXT);
  t.match(linode.tally(`cloud/${LINODE_TXT}`), { rows: 4_552, rejected: 0 });
  t.same(linode.tally(`cloud/${LINODE_TXT}`).notes, {});
  t.equal(inMillions(countAddresses(linode)), 1.1);
  t.equal(linode.claims.length, 38, 'cities');
});

import t from 'tap';
import { GCP } from './gcp.js';
import {
  countAddresses,
  fixtureText,
  inMillions,
  refused,
  refusesDamaged,
  tryFixtures,
  tryPublished,
  tryText,
  withoutPublished,
} from './testing/cloud-trial.js';

t.test('networks of customers have service and scope, all others are Google’s own', async (t) => {
  const trial = await tryFixtures(GCP, 'cloud.json', 'goog.json');
  const customers = { cloud: 'Google Cloud', usageType: 'DCH', service: 'Google Cloud' };
  t.same(trial.claimAt('34.80.0.1'), { ...customers, region: 'asia-east1' });
  t.same(trial.claimAt('35.190.0.1'), { ...customers, region: 'global' });
  t.same(trial.claimAt('2600:1900:8000::1'), { ...customers, region: 'africa-south1' });
  const own = { cloud: 'Google', usageType: 'DCH' };
  for (const address of ['8.8.8.8', '142.250.0.1', '34.127.255.255', '2001:4860:4860::8888']) {
    t.same(trial.claimAt(address), own, address);
  }
  for (const name of ['cloud', 'goog']) {
    t.match(trial.tally(`cloud/${name}.json`), { rejected: 0, notes: {} });
  }
  t.same(trial.log, []);
});

t.test('either file can be read without the other', async (t) => {
  const cloud = await tryFixtures(GCP, 'cloud.json');
  t.match(cloud.claimAt('34.80.0.1'), { cloud: 'Google Cloud' });
  t.equal(cloud.claimAt('8.8.8.8'), undefined);
  t.same(cloud.log, []);
  const google = await tryFixtures(GCP, 'goog.json');
  t.same(google.claimAt('34.80.0.1'), { cloud: 'Google', usageType: 'DCH' });
  t.match(google.log, [/without cloud\.json/]);
});

t.test('a row without a prefix is rejected, a row without labels is accepted', async (t) => {
  const prefixes = [
    { ipv4Prefix: '34.80.0.0/15' },
    { service: 'Google Cloud' },
    { ipv6Prefix: '34.82.0.0' },
    'x',
  ];
  const trial = await tryText(t, GCP, 'cloud.json', JSON.stringify({ prefixes }));
  t.same(trial.rejections('cloud/cloud.json'), ['json@2', 'json@4']);
  t.same(trial.claimAt('34.80.0.1'), { cloud: 'Google Cloud', usageType: 'DCH' });
  t.same(trial.claimAt('34.82.0.0'), { cloud: 'Google Cloud', usageType: 'DCH' }, 'a bare address');
});

t.test('damaged files are refused', async (t) => {
  await refusesDamaged(t, GCP, 'cloud.json', '34.80.0.0/15');
  await refusesDamaged(t, GCP, 'goog.json', '34.64.0.0/10');
});

t.test('the error names the refused file', async (t) => {
  const contents = { 'cloud/cloud.json': fixtureText('cloud.json'), 'cloud/goog.json': '{"prefixes":[]}' };
  t.match(await refused(t, GCP, contents), { refusal: 'header', file: 'cloud/goog.json' });
});

t.test('the real file of Google', { skip: withoutPublished('cloud.json') }, async (t) => {
  const trial = await tryPublished(GCP, 'cloud.json');
  t.match(trial.tally('cloud/cloud.json'), { rows: 782, rejected: 0, notes: {} });
  t.equal(countAddresses(trial), 14_937_472);
  t.equal(inMillions(countAddresses(trial, ({ region }) => region !== undefined)), 14.9);
});

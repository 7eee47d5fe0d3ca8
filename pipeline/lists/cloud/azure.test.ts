import { gzipSync } from 'node:zlib';
import t from 'tap';
import { tryContents } from '../testing/list-trial.js';
import { AZURE } from './azure.js';
import {
  countAddresses,
  fixtureText,
  inMillions,
  refusalOf,
  refused,
  refusesDamaged,
  tryFixtures,
  tryPublished,
  tryText,
  withoutPublished,
} from './testing/cloud-trial.js';

const NAME = 'ServiceTags_Public_20261116.json';
const PUBLISHED = 'ServiceTags_Public_20250721.json.gz';
const AZURE_CLAIM = { cloud: 'Microsoft Azure', usageType: 'DCH' };
const EDGE = { cloud: 'Microsoft Azure', usageType: 'CDN', isEdge: true, service: 'AzureFrontDoor' };

t.test('claims have regions, the rest of the cloud, and its edge', async (t) => {
  const trial = await tryFixtures(AZURE, NAME);
  t.same(trial.claimAt('13.68.128.1'), { ...AZURE_CLAIM, region: 'eastus' });
  t.same(trial.claimAt('2603:1020:200::1'), { ...AZURE_CLAIM, region: 'westeurope' });
  t.same(trial.claimAt('13.87.32.1'), AZURE_CLAIM, 'in no region');
  t.same(trial.claimAt('20.42.4.113'), { ...EDGE, region: 'eastus' }, 'Front Door inside of a region');
  t.same(trial.claimAt('13.107.208.1'), EDGE, 'Front Door outside of AzureCloud');
  t.same(trial.claimAt('2603:1061:f::1'), EDGE);
  t.equal(trial.claimAt('13.66.143.220'), undefined, 'another tag');
  t.match(trial.tally(`cloud/${NAME}`), { rows: 21, rejected: 0, notes: { skipped: 2 } });
  t.same(Object.keys(trial.tally(`cloud/${NAME}`).notes), ['skipped'], 'no prefix is named twice in a layer');
});

t.test('the packed file gives the same claims', async (t) => {
  const plain = await tryFixtures(AZURE, NAME);
  const packed = await tryContents(t, AZURE, { [`cloud/${NAME}.gz`]: gzipSync(fixtureText(NAME)) });
  t.same(packed.claims, plain.claims);
  t.same(packed.tally(`cloud/${NAME}.gz`), plain.tally(`cloud/${NAME}`));
});

t.test('only the newest of several files is read', async (t) => {
  const text = (prefix: string): string =>
    JSON.stringify({ values: [{ name: 'AzureCloud', properties: { addressPrefixes: [prefix] } }] });
  const plain = 'cloud/ServiceTags_Public_20261109.json';
  const packed = 'cloud/ServiceTags_Public_20261116.json.gz';
  const trial = await tryContents(t, AZURE, {
    [plain]: text('13.64.0.0/16'),
    [packed]: gzipSync(text('13.65.0.0/16')),
  });
  t.same(trial.claimAt('13.65.0.1'), AZURE_CLAIM);
  t.equal(trial.claimAt('13.64.0.1'), undefined, 'withdrawn rows are not kept');
  t.equal(trial.tally(plain).rows, 0);
});

t.test('a bad tag and a bad prefix are rejected without affecting others', async (t) => {
  const values = [
    { name: 'AzureCloud', properties: { addressPrefixes: ['13.64.0.0/16', '13.65.0.0/16/', 7] } },
    { name: 'AzureCloud.eastus' },
    { name: 'AzureCloudX', properties: { addressPrefixes: ['13.66.0.0/16'] } },
    { name: 'AzureFrontDoor', properties: { addressPrefixes: ['13.67.0.0/16'] } },
  ];
  const trial = await tryText(t, AZURE, NAME, JSON.stringify({ values }));
  t.same(trial.rejections(`cloud/${NAME}`), ['address@2', 'json@2', 'json@3'], 'by tag, by prefix');
  t.match(trial.tally(`cloud/${NAME}`), { accepted: 2, notes: { skipped: 1 } });
  t.same(trial.claimAt('13.67.0.1'), EDGE);
  t.equal(trial.claimAt('13.66.0.1'), undefined);
});

t.test('a damaged file, or one without the tag of the cloud, is refused', async (t) => {
  await refusesDamaged(t, AZURE, NAME, '13.69.0.0/17');
  const values = [{ name: 'Storage', properties: { addressPrefixes: ['13.64.0.0/16'] } }];
  t.equal(await refusalOf(t, AZURE, NAME, JSON.stringify({ values })), 'header');
  const packed = gzipSync(fixtureText(NAME));
  const id = `cloud/${NAME}.gz`;
  t.match(await refused(t, AZURE, { [id]: packed.subarray(0, -9) }), {
    refusal: 'truncated',
    file: id,
  });
  t.match(await refused(t, AZURE, { [id]: fixtureText(NAME) }), { refusal: 'container', file: id });
});

t.test('the real file of Microsoft', { skip: withoutPublished(PUBLISHED) }, async (t) => {
  const trial = await tryPublished(AZURE, PUBLISHED);
  const { rows, rejected, notes } = trial.tally(`cloud/${PUBLISHED}`);
  t.same({ rows, rejected }, { rows: 12_362 + 11_944 + 437, rejected: 0 }, 'cloud, regions, Front Door');
  t.same(notes, { skipped: 90_493 - rows });
  t.equal(inMillions(countAddresses(trial, ({ isEdge }) => isEdge !== true)), 47);
  t.equal(
    countAddresses(trial, ({ isEdge }) => isEdge === true),
    191_598,
  );
  t.match(trial.claimAt('20.42.4.113'), { service: 'AzureFrontDoor', region: 'eastus' });
});

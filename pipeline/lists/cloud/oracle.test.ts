import t from 'tap';
import { ORACLE } from './oracle.js';
import {
  countAddresses,
  refusalOf,
  refusesDamaged,
  tryFixtures,
  tryPublished,
  tryText,
  withoutPublished,
} from './testing/cloud-trial.js';

const NAME = 'public_ip_ranges.json';
const ID = `cloud/${NAME}`;
const ORACLE_CLAIM = { cloud: 'Oracle Cloud', usageType: 'DCH' };

t.test('tags are services, and the additional tag is the more specific one', async (t) => {
  const trial = await tryFixtures(ORACLE, NAME);
  t.same(trial.claimAt('129.80.0.1'), { ...ORACLE_CLAIM, service: 'OCI', region: 'us-ashburn-1' });
  t.same(trial.claimAt('64.181.152.1'), { ...ORACLE_CLAIM, service: 'OSN', region: 'us-ashburn-1' });
  t.same(trial.claimAt('134.70.24.1'), {
    ...ORACLE_CLAIM,
    service: 'OBJECT_STORAGE',
    region: 'us-ashburn-1',
  });
  t.match(trial.tally(ID), { rejected: 0, notes: {} });
});

t.test('a bad row affects only itself, and positions continue through all regions', async (t) => {
  const regions = [
    { region: 'a', cidrs: [{ cidr: '129.80.0.0/16', tags: [] }, { cidr: '129.81.0.0/16' }] },
    {
      region: 'b',
      cidrs: [
        { cidr: '192.168.0.0/16', tags: ['OCI'] },
        { cidr: 'x', tags: ['OCI'] },
      ],
    },
  ];
  const trial = await tryText(t, ORACLE, NAME, JSON.stringify({ regions }));
  t.same(trial.rejections(ID), ['address@4', 'json@2', 'reserved@3']);
  t.same(trial.claimAt('129.80.0.1'), { ...ORACLE_CLAIM, region: 'a' }, 'no tag, no service');
});

t.test('a damaged file, or one with an invalid region, is refused', async (t) => {
  await refusesDamaged(t, ORACLE, NAME, '129.80.0.0/16');
  t.equal(await refusalOf(t, ORACLE, NAME, '{"regions":[{"region":"a"}]}'), 'header');
});

t.test('the real file of Oracle', { skip: withoutPublished(NAME) }, async (t) => {
  const trial = await tryPublished(ORACLE, NAME);
  t.match(trial.tally(ID), { rows: 896, rejected: 0, notes: {} });
  t.equal(countAddresses(trial), 3_697_802);
  t.equal(trial.claims.filter(({ region }) => region === undefined).length, 0);
});

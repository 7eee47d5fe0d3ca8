import t from 'tap';
import {
  countAddresses,
  refusesDamaged,
  tryFixtures,
  tryPublished,
  tryText,
  withoutPublished,
} from './testing/cloud-trial.js';
import { ZSCALER } from './zscaler.js';

const NAME = 'zscaler.json';

t.test('hubs are enterprise proxies without a cloud', async (t) => {
  const trial = await tryFixtures(ZSCALER, NAME);
  t.same(trial.claimAt('165.225.0.1'), { type: 'EPN', provider: 'Zscaler' });
  t.same(trial.claimAt('112.196.99.180'), { type: 'EPN', provider: 'Zscaler' }, 'a single address');
  t.equal(trial.claimAt('112.196.99.181'), undefined);
  t.same(trial.claimAt('2400:7aa0:131b::1'), { type: 'EPN', provider: 'Zscaler' });
  t.match(trial.tally(`cloud/${NAME}`), { rows: 9, rejected: 0 });
});

t.test('a bad entry affects only itself', async (t) => {
  const trial = await tryText(t, ZSCALER, NAME, '{"hubPrefixes":["165.225.0.0/17",null,"hub","10.0.0.0/8"]}');
  t.same(trial.rejections(`cloud/${NAME}`), ['address@3', 'json@2', 'reserved@4']);
  t.equal(trial.tally(`cloud/${NAME}`).rows, 4);
});

t.test('a damaged file is refused', (t) => refusesDamaged(t, ZSCALER, NAME, '165.225.0.0/17'));

t.test('the real file of Zscaler', { skip: withoutPublished(NAME) }, async (t) => {
  const trial = await tryPublished(ZSCALER, NAME);
  t.match(trial.tally(`cloud/${NAME}`), { rows: 80, rejected: 0, notes: {} });
  t.equal(countAddresses(trial), 545_281);
});

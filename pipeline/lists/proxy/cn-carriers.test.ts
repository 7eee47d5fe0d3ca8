import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { tryContents, tryFiles } from '../testing/list-trial.js';
import { REAL_FILES, withoutReal } from '../../input/testing/real-files.js';
import { refusalsOf } from '../../input/testing/refusals.js';
import { CN_CARRIERS } from './cn-carriers.js';

const FILES = [
  'chinanet',
  'chinanet6',
  'cmcc',
  'cmcc6',
  'unicom',
  'unicom6',
  'cernet',
  'cstnet',
  'drpeng',
].map((name) => `cn-carriers/${name}.txt`);

t.test('a network has the carrier of its list', async (t) => {
  const trial = await tryFiles(CN_CARRIERS, FILES);
  t.same(trial.claimAt('1.80.0.1'), { carrier: 'telecom' });
  t.same(trial.claimAt('36.128.0.1'), { carrier: 'mobile' });
  t.same(trial.claimAt('1.24.0.1'), { carrier: 'unicom' });
  t.same(trial.claimAt('101.4.0.1'), { carrier: 'cernet' });
  t.same(trial.claimAt('159.226.0.1'), { carrier: 'cstnet' });
  t.same(trial.claimAt('118.144.78.1'), { carrier: 'drpeng' });
  t.equal(trial.claimAt('8.8.8.8'), undefined);
});

t.test('a network in the lists of a small and a large carrier has the small carrier', async (t) => {
  const trial = await tryFiles(CN_CARRIERS, FILES);
  t.same(trial.claimAt('60.195.248.1'), { carrier: 'drpeng' }, 'in the list of China Mobile as well');
  t.same(trial.claimAt('1.51.3.1'), { carrier: 'cernet' }, 'a /24 in that of China Telecom');
});

t.test('a network in the lists of two large carriers has no carrier', async (t) => {
  const trial = await tryContents(t, CN_CARRIERS, {
    'cn-carriers/chinanet.txt': '1.119.192.0/21\n1.80.0.0/13\n',
    'cn-carriers/unicom.txt': '1.119.192.0/21\n1.80.4.0/24\n',
    'cn-carriers/cernet.txt': '1.80.4.0/25\n',
  });
  t.equal(trial.claimAt('1.119.192.1'), undefined);
  t.same(trial.claimAt('1.80.3.1'), { carrier: 'telecom' });
  t.equal(trial.claimAt('1.80.4.200'), undefined, 'however long the prefixes are');
  t.same(trial.claimAt('1.80.4.1'), { carrier: 'cernet' });
});

t.test('rows that are not a network are rejected, and files that are not a list are refused', async (t) => {
  const id = 'cn-carriers/cmcc.txt';
  const trial = await tryContents(t, CN_CARRIERS, {
    [id]: '36.128.0.0/10\n36.128/10\n10.0.0.0/8\n240a::/20\n',
  });
  t.same(trial.rejections(id), ['address@2', 'reserved@3']);
  t.same(trial.claimAt('240a::1'), { carrier: 'mobile' });
  t.same(await refusalsOf(tryContents(t, CN_CARRIERS, { [id]: '0.0.0.0/0\n' })), [`${id} too-wide`]);
  t.same(await refusalsOf(tryContents(t, CN_CARRIERS, { [id]: '<html>' })), [`${id} container`]);
  const bad = await tryContents(t, CN_CARRIERS, { [id]: 'a\nb\n' });
  t.equal(bad.tally(id).rejected, 2);
});

t.test('china.txt, which is not the list of a carrier, is not downloaded', (t) => {
  const names = CN_CARRIERS.files.map(({ name }) => name);
  t.notOk(names.includes('china.txt'));
  t.equal(names.length, 12);
  t.ok(FILES.every((id) => names.includes(id.slice('cn-carriers/'.length))));
  t.end();
});

t.test('the real lists are read completely', { skip: withoutReal(FILES) }, async (t) => {
  const trial = await tryFiles(CN_CARRIERS, FILES, REAL_FILES);
  for (const id of FILES) {
    const lines = readFileSync(join(REAL_FILES, id), 'utf8').trimEnd().split('\n').length;
    t.equal(trial.tally(id).accepted, lines, id);
    t.equal(trial.tally(id).rejected, 0);
  }
  t.same(trial.claims.map(({ carrier }) => carrier).sort(), [
    'cernet',
    'cstnet',
    'drpeng',
    'mobile',
    'telecom',
    'unicom',
  ]);
  t.same(trial.claimAt('202.112.0.1'), { carrier: 'cernet' });
});

import t from 'tap';
import type { PublishedFile } from '../input/published-source.js';
import { findFiles } from './find-files.js';

const named = (name: string, take: PublishedFile['take']): PublishedFile => ({
  folder: 'rib',
  name,
  container: 'gz',
  required: false,
  take,
});

t.test('the last dated snapshot of each folder is found', async (t) => {
  const dir = t.testdir({
    rib: {
      rrc00: { 'bview.20261120.0800.gz': '', 'bview.20261121.0000.gz': '', 'latest-bview.gz': '' },
      rrc12: { 'bview.20261120.1600.gz': '', deeper: { 'bview.20261121.0000.gz': '' } },
      'bview.20261121.0000.gz': '',
    },
  });
  t.same(await findFiles(dir, named('*/bview.*.*.gz', 'latest')), [
    'rrc00/bview.20261121.0000.gz',
    'rrc12/bview.20261120.1600.gz',
  ]);
  t.same(await findFiles(dir, named('bview.*.*.gz', 'latest')), ['bview.20261121.0000.gz']);
  t.same((await findFiles(dir, named('*/bview.*.*.gz', 'all'))).length, 3);
});

t.test('nothing is found in a missing folder', async (t) => {
  t.same(await findFiles(t.testdir(), named('*/bview.*.*.gz', 'latest')), []);
});

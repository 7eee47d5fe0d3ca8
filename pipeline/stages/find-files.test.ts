import t from 'tap';
import type { FeedFile } from '../feeds/feed.js';
import { findFiles } from './find-files.js';

const named = (name: string, take: FeedFile['take']): FeedFile => ({
  folder: 'rib',
  name,
  container: 'gz',
  required: false,
  take,
});

t.test('of dated snapshots the last is found, in each folder its own', async (t) => {
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

t.test('where nothing is, nothing is found', async (t) => {
  t.same(await findFiles(t.testdir(), named('*/bview.*.*.gz', 'latest')), []);
});

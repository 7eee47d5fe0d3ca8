import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { planDownloads } from './download-plan.js';
import { stateFolder, statePaths, writeState } from './download-state.js';
import { parseGeofeedList } from './geofeed-list.js';
import { removeUnlisted } from './remove-unlisted.js';

t.test('a download that is no longer listed loses its file, its state and its unfinished part', async (t) => {
  const dir = t.testdir({ own: { geofeeds: { 'by-hand.csv': '' } } });
  const urls = ['https://a.example.com/geofeed.csv', 'https://b.example.com/geofeed.csv'];
  const planned = planDownloads(parseGeofeedList(urls.join('\n')).files);
  mkdirSync(stateFolder(dir, 'own'), { recursive: true });
  for (const one of planned) {
    const { state, part } = statePaths(dir, one);
    const name = one.files[0]!.name;
    const copy = { name, url: one.download.url, sha256: '', sizeBytes: 0, fetched: new Date().toISOString() };
    await writeState(state, { copy });
    for (const path of [part, join(dir, 'own', name)]) writeFileSync(path, '');
  }
  const [first] = planned;
  writeFileSync(join(stateFolder(dir, 'own'), 'whois-00000000.json'), '{}');
  await removeUnlisted(dir, { folder: 'own', prefix: 'geofeeds_', listed: [first!] });
  t.same(readdirSync(stateFolder(dir, 'own')).sort(), [
    `${first!.key}.json`,
    `${first!.key}.part`,
    'whois-00000000.json',
  ]);
  const left = [first!.files[0]!.name, 'geofeeds/by-hand.csv'].map((name) => name.replace('geofeeds/', ''));
  t.same(readdirSync(join(dir, 'own', 'geofeeds')).sort(), left.sort());
});

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { serveFile, startPublisher } from '../fetch/testing/publisher.js';
import { downloadsDir, downloadSources } from './download-source.js';

const GEOFEED = 'https://geofeeds.example.net/feed.csv?key=hushhush';

t.test('a geofeed is removed only if the list exists and does not contain it', async (t) => {
  const output = t.testdir();
  const own = join(downloadsDir(output), 'own');
  const list = join(own, 'geofeeds.urls');
  mkdirSync(own, { recursive: true });
  const mirror = await startPublisher(t, (request, response) => {
    if (request.url === '/geofeeds.example.net/feed.csv?key=hushhush') {
      serveFile('192.0.2.0/24,US,,,\n')(request, response);
    } else response.writeHead(404).end();
  });
  const fetchOwn = () =>
    downloadSources(['own'], output, {
      since: new Date().toISOString(),
      collectors: [],
      mirror: mirror.url,
      readVariable: () => undefined,
      watcher: {},
    });
  const kept = (): string[] => readdirSync(join(own, 'geofeeds'));
  writeFileSync(list, `${GEOFEED}\n`);
  const { results } = await fetchOwn();
  t.match(results.at(-1), { outcome: 'downloaded', file: /^own\/geofeeds\// });
  t.notMatch(JSON.stringify(results), 'hush');
  const [name] = kept();
  rmSync(list);
  await fetchOwn();
  t.same(kept(), [name]);
  t.equal(readFileSync(join(own, 'geofeeds', name!), 'utf8'), '192.0.2.0/24,US,,,\n');
  writeFileSync(list, '# none any more\n');
  await fetchOwn();
  t.same(kept(), []);
});

t.test('only dumps of configured collectors are kept', async (t) => {
  const output = t.testdir();
  const rib = join(downloadsDir(output), 'rib');
  const packed = gzipSync('a dump');
  const mirror = await startPublisher(t, (request, response) => {
    if (/^\/data\.ris\.ripe\.net\/rrc\d\d\/.*bview/.test(request.url!)) serveFile(packed)(request, response);
    else response.writeHead(404).end();
  });
  const fetchRib = (...collectors: string[]) =>
    downloadSources(['rib'], output, {
      since: new Date().toISOString(),
      collectors,
      mirror: mirror.url,
      acceptSmall: true,
      readVariable: () => undefined,
      watcher: {},
    });
  const { missed } = await fetchRib('rrc00', 'rrc12');
  t.same(missed, []);
  t.match([readdirSync(join(rib, 'rrc00')), readdirSync(join(rib, 'rrc12'))], [[/^bview\./], [/^bview\./]]);
  writeFileSync(join(rib, 'rrc12', 'rib.by-hand.gz'), packed);
  await fetchRib('rrc00');
  t.match(readdirSync(join(rib, 'rrc00')), [/^bview\./]);
  t.same(readdirSync(join(rib, 'rrc12')), ['rib.by-hand.gz'], 'a file added by hand stays');
});

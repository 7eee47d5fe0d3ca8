import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { serveFile, startPublisher } from '../fetch/testing/publisher.js';
import { foundGeofeedName } from '../input/registrations/geofeed-url.js';
import { downloadsDir, downloadSources } from './download-source.js';

const INETNUM = '/ftp.ripe.net/ripe/dbase/split/ripe.db.inetnum.gz';
const ACME = 'https://acme.example.net/geofeed.csv';
const SMALL = 'https://small.example.org/geo?format=csv';

function registration(network: string, url: string): string {
  return `inetnum:        ${network}\nnetname:        TEST\nremarks:        Geofeed ${url}\nsource:         TEST\n\n`;
}

/** Starts a mirror of all publishers and returns the functions of a test. */
async function start(t: Test, answers: Map<string, Buffer | string | RequestListener>) {
  const output = t.testdir();
  const dir = downloadsDir(output);
  mkdirSync(join(dir, 'own'), { recursive: true });
  const mirror = await startPublisher(t, (request, response) => {
    const found = answers.get(request.url!);
    if (found === undefined) response.writeHead(404).end();
    else if (typeof found === 'function') found(request, response);
    else serveFile(found, `"${found.length}"`)(request, response);
  });
  const fetchOwn = async () => {
    const { results } = await downloadSources(['own'], output, {
      since: new Date().toISOString(),
      collectors: [],
      mirror: mirror.url,
      acceptSmall: true,
      readVariable: () => undefined,
      watcher: {},
    });
    return results.find(({ file }) => file === 'own/geofeeds-found');
  };
  const held = (): string[] => {
    const folder = join(dir, 'own/geofeeds-found');
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  };
  const requested = () => mirror.asked.map(({ url }) => url!).filter((url) => url.includes('.example.'));
  return { dir, fetchOwn, held, requested };
}

const nameOf = (url: string): string => foundGeofeedName(new URL(url)).replace(/.*\//, '');

t.test(
  'geofeeds that registrations in a dump name are downloaded, and removed with the last reference',
  async (t) => {
    const dump = [registration('5.5.0.0 - 5.5.255.255', ACME), registration('5.6.0.0 - 5.6.0.255', SMALL)];
    const answers = new Map<string, Buffer | string>([
      [INETNUM, gzipSync(dump.join(''))],
      ['/acme.example.net/geofeed.csv', '5.5.0.0/16,DE,,,\n'],
      ['/small.example.org/geo?format=csv', '5.6.0.0/24,FR,,,\n'],
    ]);
    const { dir, fetchOwn, held, requested } = await start(t, answers);
    t.match(await fetchOwn(), {
      outcome: 'downloaded',
      text: 'registrations name 2 geofeeds: 2 downloaded, 0 unchanged, 0 failed',
    });
    t.same(held(), [nameOf(ACME), nameOf(SMALL)].sort());
    t.equal(readFileSync(join(dir, 'own/geofeeds-found', nameOf(ACME)), 'utf8'), '5.5.0.0/16,DE,,,\n');
    const extracted = readFileSync(join(dir, 'whois-geofeed/registries.csv'), 'utf8');
    t.match(
      extracted,
      /^# ripe\.db\.inetnum\.gz, \d+ bytes, \d{4}-.*\nprefix,url,last-modified\n5\.5\.0\.0 - 5\.5\.255\.255,https/,
    );

    const before = requested().length;
    const written = statSync(join(dir, 'whois-geofeed/registries.csv')).mtimeMs;
    t.match(await fetchOwn(), { text: 'registrations name 2 geofeeds: 0 downloaded, 2 unchanged, 0 failed' });
    t.equal(requested().length, before, 'a geofeed is requested once a week');
    t.equal(statSync(join(dir, 'whois-geofeed/registries.csv')).mtimeMs, written, 'nothing to extract');

    answers.set(INETNUM, gzipSync(dump[0]!));
    t.match(await fetchOwn(), { text: 'registrations name 1 geofeed: 0 downloaded, 1 unchanged, 0 failed' });
    t.same(held(), [nameOf(ACME)]);
  },
);

t.test('dead servers and files that are no geofeeds are counted, and are no failures', async (t) => {
  const urls = ['gone', 'page', 'text', 'table', 'long', 'insecure', 'good'].map(
    (name) => `https://${name}.example.net/g.csv`,
  );
  const list = urls.map((url, n) => `5.5.${n}.0/24,${url}\n`).join('');
  const { dir, fetchOwn, held } = await start(
    t,
    new Map<string, string | RequestListener>([
      ['/page.example.net/g.csv', '<!DOCTYPE html><html>moved</html>'],
      ['/text.example.net/g.csv', 'there is no geofeed here\nand never was\n'],
      ['/table.example.net/g.csv', 'prefix,latitude,longitude\n5.5.3.0/24,1,2\n'],
      ['/long.example.net/g.csv', `5.5.4.0/24,DE,,${'x'.repeat(70_000)},\n`],
      [
        '/insecure.example.net/g.csv',
        (_request, response) => response.writeHead(302, { Location: 'http://insecure.example.org/' }).end(),
      ],
      ['/good.example.net/g.csv', '# a geofeed\n5.5.6.0/24,DE,,,\n'],
    ]),
  );
  mkdirSync(join(dir, 'whois-geofeed'));
  writeFileSync(join(dir, 'whois-geofeed/references.csv'), list);
  t.match(await fetchOwn(), {
    outcome: 'downloaded',
    text: 'registrations name 7 geofeeds: 1 downloaded, 0 unchanged, 6 failed (container 4, http 1, insecure 1)',
  });
  t.same(held(), [nameOf(urls[6]!)]);
});

t.test('an endless file is cut off', async (t) => {
  const { dir, fetchOwn, held } = await start(
    t,
    new Map<string, RequestListener>([
      [
        '/acme.example.net/geofeed.csv',
        (_request, response) => {
          const line = Buffer.alloc(1 << 20, '5.5.0.0/24,DE,,,\n');
          const send = (): void => {
            while (!response.destroyed && response.write(line));
          };
          response.on('drain', send);
          send();
        },
      ],
    ]),
  );
  mkdirSync(join(dir, 'whois-geofeed'));
  writeFileSync(join(dir, 'whois-geofeed/references.csv'), `5.5.0.0/24,${ACME}\n`);
  t.match(await fetchOwn(), { text: /1 failed \(large 1\)$/ });
  t.same(held(), []);
});

t.test('a geofeed that the operator lists is not downloaded twice', async (t) => {
  const { dir, fetchOwn, requested } = await start(
    t,
    new Map([['/acme.example.net/geofeed.csv', '5.5.0.0/24,DE,,,\n']]),
  );
  mkdirSync(join(dir, 'whois-geofeed'));
  writeFileSync(join(dir, 'whois-geofeed/references.csv'), `5.5.0.0/24,${ACME}\n`);
  writeFileSync(join(dir, 'own/geofeeds.urls'), `${ACME}\n`);
  t.match(await fetchOwn(), { text: 'registrations name 0 geofeeds: 0 downloaded, 0 unchanged, 0 failed' });
  t.equal(requested().length, 1);
  t.equal(readdirSync(join(dir, 'own/geofeeds')).length, 1);
});

t.test('without any references nothing is requested or removed', async (t) => {
  const answers = new Map<string, Buffer | string>([['/acme.example.net/geofeed.csv', '5.5.0.0/24,DE,,,\n']]);
  const { dir, fetchOwn, held } = await start(t, answers);
  const list = join(dir, 'whois-geofeed/references.csv');
  mkdirSync(join(dir, 'whois-geofeed'));
  writeFileSync(list, `5.5.0.0/24,${ACME}\n`);
  await fetchOwn();
  t.equal(held().length, 1);
  rmSync(list);
  t.equal(await fetchOwn(), undefined);
  t.equal(held().length, 1);
});

t.test('a dump that cannot be read keeps the references of the last one', async (t) => {
  const answers = new Map<string, Buffer | string>([
    [INETNUM, gzipSync(registration('5.5.0.0 - 5.5.0.255', ACME))],
    ['/acme.example.net/geofeed.csv', '5.5.0.0/24,DE,,,\n'],
  ]);
  const { dir, fetchOwn, held } = await start(t, answers);
  await fetchOwn();
  const dump = join(dir, 'whois-dumps/ripe.db.inetnum.gz');
  writeFileSync(dump, readFileSync(dump).subarray(0, 60));
  utimesSync(dump, new Date(), new Date());
  answers.set(INETNUM, 'no gzip');
  t.match(await fetchOwn(), { text: /^registrations name 1 geofeed:/ });
  t.equal(held().length, 1);
});

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { DOWNLOADS } from '../input/routing-downloads.js';
import { parseMd5 } from './accept-file.js';
import { DownloadError } from './download-error.js';
import { TimeBudget } from './time-budget.js';
import { Mirror } from './mirror.js';
import { serveFile, startPublisher, TEST_LIMITS, tryDownload } from './testing/publisher.js';

const CSV = '/console.rpki-client.org/vrps.csv';
const JSON_FILE = '/rpki.cloudflare.com/rpki.json';
const ROWS = 'ASN,IP Prefix,Max Length,Trust Anchor\nAS13335,1.1.1.0/24,24,apnic\n';
const ROAS = '{"roas":[]}';
const STATS = 'delegated-arin-extended-latest';
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/**
 * Starts a server for a file and its fallback, and returns functions that download the file and list the kept files.
 */
async function publish(t: Test, name: string) {
  const dir = t.testdir();
  const served = new Map<string, string>();
  const statuses = new Map<string, number>();
  const server = await startPublisher(t, (request, response) => {
    const text = served.get(request.url!);
    if (text === undefined) response.writeHead(statuses.get(request.url!) ?? 404).end();
    else serveFile(text, `"${md5(text)}"`)(request, response);
  });
  const context = { mirror: new Mirror(server.url), acceptSmall: true, limits: { ...TEST_LIMITS, tries: 1 } };
  const night = () => tryDownload({ dir, name, download: DOWNLOADS[name]!, context });
  const kept = (): string[] => readdirSync(join(dir, 'feed'));
  return { served, statuses, server, night, kept };
}

t.test('an unavailable file is replaced by its fallback until it is available again', async (t) => {
  const { served, statuses, night, kept, server } = await publish(t, 'vrps.csv');
  served.set(CSV, ROWS);
  t.match(await night(), { outcome: 'downloaded', file: 'feed/vrps.csv' });
  served.delete(CSV);
  served.set(JSON_FILE, ROAS);
  statuses.set(CSV, 503);
  const instead = await night();
  t.match(instead, {
    outcome: 'downloaded',
    file: 'feed/rpki.json',
    text: /^11 bytes: https:\/\/rpki\.cloudflare\.com\/rpki\.json, instead of .* HTTP 503$/,
  });
  t.same(kept(), ['rpki.json'], 'only one of the two files is kept, or withdrawn rows would stay');
  t.match(await night(), { outcome: 'unchanged', text: /HTTP 503$/ });
  t.equal(server.asked.at(-1)?.headers['if-none-match'], `"${md5(ROAS)}"`);
  served.set(CSV, ROWS);
  t.match(await night(), { outcome: 'downloaded', file: 'feed/vrps.csv' });
  t.same(kept(), ['vrps.csv']);
  await night();
  t.equal(server.asked.at(-1)?.url, CSV, 'the fallback is not requested while the file is available');
});

t.test('if the fallback fails too, both failures are reported and the last good copy stays', async (t) => {
  const { served, night, kept } = await publish(t, 'vrps.csv');
  served.set(CSV, ROWS);
  await night();
  served.set(CSV, '<html>Sorry</html>');
  t.match(await night(), {
    outcome: 'failed',
    failure: 'container',
    text: /HTML page.*; and https:\/\/rpki\.cloudflare\.com\/rpki\.json: HTTP 404/,
    copy: { name: 'vrps.csv' },
  });
  t.same(kept(), ['vrps.csv']);
});

t.test('an md5 is compared in both published formats', async (t) => {
  const rows = 'arin|US|ipv4|8.0.0.0|8388608|19921201|allocated|e5\n';
  const path = `/ftp.arin.net/pub/stats/arin/${STATS}`;
  const spellings = [`${md5(rows)}  ${STATS}\n`, `MD5 (${STATS}) = ${md5(rows).toUpperCase()}\n`];
  for (const text of spellings) {
    const { served, night, server } = await publish(t, STATS);
    served.set(path, rows).set(`${path}.md5`, text);
    t.match(await night(), { outcome: 'downloaded' }, text);
    const before = server.asked.length;
    t.match(await night(), { outcome: 'unchanged' });
    t.equal(server.asked.length, before + 1, 'the checksum of an unchanged file is not requested');
  }
  const { served, night, kept } = await publish(t, STATS);
  served.set(path, rows);
  t.match(await night(), { outcome: 'downloaded' }, 'without a checksum the file is accepted');
  served.set(path, `${rows}more\n`).set(`${path}.md5`, `${md5(rows)}  ${STATS}\n`);
  t.match(await night(), { outcome: 'failed', failure: 'md5', text: /expected/, copy: {} });
  served.set(`${path}.md5`, 'be11');
  t.match(await night(), { outcome: 'failed', failure: 'md5', text: /has no md5/ });
  t.same(kept(), [STATS]);
});

t.test('a text without an md5, or with a hash of another length, is refused', (t) => {
  const hash = md5('');
  t.equal(parseMd5(`${hash} *name`), hash);
  t.equal(parseMd5(`MD5 (a (b) = c) = ${hash}`), hash);
  for (const text of ['', 'name', `${hash}0  name`, `MD5 (name) = ${hash.slice(1)}`])
    t.throws(() => parseMd5(text), DownloadError, text);
  t.end();
});

t.test('received bytes extend the time limit; without bytes it is reached', async (t) => {
  const idle = new TimeBudget(1);
  const busy = new TimeBudget(1);
  busy.received(20_000 * 3600);
  await new Promise<void>((resolve) => {
    idle.signal.addEventListener('abort', () => {
      resolve();
    });
  });
  // Waits longer than the time limit of `busy` without its bytes.
  await new Promise((resolve) => setTimeout(resolve, 20));
  t.notOk(busy.signal.aborted, 'bytes for an hour at the minimum rate');
  busy.stop();
});

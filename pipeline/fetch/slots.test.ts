import { createHash, randomFillSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { ribDownloads } from '../input/routing-downloads.js';
import { publicUrl, timesFor } from './download-address.js';
import { downloadAll } from './download-all.js';
import { planDownloads } from './download-plan.js';
import { Mirror } from './mirror.js';
import { sendPiece, serveFile, startPublisher, TEST_LIMITS } from './testing/publisher.js';

const RIS = '/data.ris.ripe.net/rrc00';
const ROUTE_VIEWS = '/archive.routeviews.org/route-views.sg/bgpdata';
const dump = (text: string): Buffer => gzipSync(text);

/** Starts a server for dumps, with its content by path. Other paths are 404. */
async function collectors(t: Test, names: readonly string[]) {
  const dir = t.testdir();
  const served = new Map<string, Buffer | RequestListener>();
  const server = await startPublisher(t, (request, response) => {
    const found = served.get(request.url!);
    if (found === undefined) response.writeHead(404).end();
    else if (typeof found === 'function') found(request, response);
    else serveFile(found, `"${createHash('md5').update(found).digest('hex')}"`)(request, response);
  });
  const plan = planDownloads(ribDownloads(names));
  /** Downloads the dumps of one night. Returns the results and the requested paths. */
  const night = async (time: string) => {
    const before = server.asked.length;
    const results = await downloadAll(plan, {
      dir,
      since: new Date(8.64e15),
      limits: { ...TEST_LIMITS, tries: 1, maxBytes: 100_000_000 },
      mirror: new Mirror(server.url),
      acceptSmall: true,
      readVariable: () => undefined,
      now: () => new Date(time),
    });
    return { results, asked: server.asked.slice(before).map(({ url }) => url!) };
  };
  const kept = (): string[] =>
    names.flatMap((name) => readdirSync(join(dir, 'rib', name)).map((file) => `${name}/${file}`));
  return { dir, served, server, night, kept };
}

t.test('slots count from midnight, and those of the last 24 hours are requested', (t) => {
  const at = (everyHours: number, now: string): string[] =>
    timesFor({ url: '', minBytes: 1, everyHours }, new Date(now)).map((time) =>
      publicUrl('{yyyy}.{mm}/{dd}-{hh}', time),
    );
  t.same(at(8, '2026-12-01T07:59:59Z'), ['2026.12/01-00', '2026.11/30-16', '2026.11/30-08']);
  t.same(at(8, '2027-01-01T08:00:00Z'), ['2027.01/01-08', '2027.01/01-00', '2026.12/31-16', '2026.12/31-08']);
  const two = at(2, '2028-03-01T01:30:00Z');
  t.same([two.length, two[0], two[1], two.at(-1)], [12, '2028.03/01-00', '2028.02/29-22', '2028.02/29-02']);
  t.end();
});

t.test('if a slot is not published yet, the one before is downloaded', async (t) => {
  const { served, night, kept } = await collectors(t, ['rrc00']);
  served.set(`${RIS}/2026.11/bview.20261130.1600.gz`, dump('16'));
  const first = await night('2026-12-01T00:10:00Z');
  t.match(first.results, [{ outcome: 'downloaded', file: 'rib/rrc00/bview.20261130.1600.gz' }]);
  t.same(first.asked, [`${RIS}/2026.12/bview.20261201.0000.gz`, `${RIS}/2026.11/bview.20261130.1600.gz`]);
  const second = await night('2026-12-01T01:00:00Z');
  t.match(second.results, [{ outcome: 'unchanged' }]);
  t.same(second.asked, [`${RIS}/2026.12/bview.20261201.0000.gz`], 'the kept dump is not requested');
  served.set(`${RIS}/2026.12/bview.20261201.0000.gz`, dump('00'));
  t.match((await night('2026-12-01T02:00:00Z')).results, [{ outcome: 'downloaded' }]);
  t.same(kept(), ['rrc00/bview.20261201.0000.gz'], 'the older dump is removed');
  const third = await night('2026-12-01T07:00:00Z');
  t.match(third, { results: [{ outcome: 'unchanged' }], asked: [] }, 'no request for the current slot');
});

t.test('a bad dump does not replace the last good one', async (t) => {
  const { served, night, kept } = await collectors(t, ['rrc00']);
  served.set(`${RIS}/2026.11/bview.20261117.0000.gz`, dump('00'));
  await night('2026-11-17T03:00:00Z');
  served.set(`${RIS}/2026.11/bview.20261117.0800.gz`, dump('rows'.repeat(1000)).subarray(0, 20));
  const { results } = await night('2026-11-17T11:00:00Z');
  t.match(results, [
    { outcome: 'failed', failure: 'truncated', copy: { name: 'rrc00/bview.20261117.0000.gz' } },
  ]);
  t.same(kept(), ['rrc00/bview.20261117.0000.gz']);
});

t.test('if all slots of a day are missing, latest-bview.gz of RIS is downloaded', async (t) => {
  const { served, night, kept } = await collectors(t, ['rrc00']);
  served.set(`${RIS}/latest-bview.gz`, dump('a retired collector'));
  const { results, asked } = await night('2026-11-17T09:00:00Z');
  t.match(results, [
    { outcome: 'downloaded', text: /latest-bview\.gz, instead of HTTP 404: .* and the 2 before/ },
  ]);
  t.equal(asked.length, 4);
  t.same(kept(), ['rrc00/latest-bview.gz']);
  const again = await night('2026-11-18T09:00:00Z');
  t.match(again.results, [{ outcome: 'unchanged', text: /^unchanged: .*latest-bview\.gz, instead of / }]);
  served.set(`${RIS}/2026.11/bview.20261118.0800.gz`, dump('alive'));
  t.match((await night('2026-11-18T10:00:00Z')).results, [{ outcome: 'downloaded' }]);
  t.same(kept(), ['rrc00/bview.20261118.0800.gz']);
});

t.test('for RouteViews the slots of two hours over 24 hours are requested, without a fallback', async (t) => {
  const { served, night, kept } = await collectors(t, ['route-views.sg']);
  const none = await night('2026-11-17T09:00:00Z');
  t.match(none.results, [
    { outcome: 'failed', failure: 'http', text: /rib\.20261117\.0800\.bz2, and the 11 before it$/ },
  ]);
  t.equal(none.asked.length, 12);
  served.set(`${ROUTE_VIEWS}/2026.11/RIBS/rib.20261117.0600.bz2`, Buffer.from('BZh91AY&SY'));
  const { results } = await night('2026-11-17T09:30:00Z');
  t.match(results, [{ outcome: 'downloaded', file: 'rib/route-views.sg/rib.20261117.0600.bz2' }]);
  t.same(kept(), ['route-views.sg/rib.20261117.0600.bz2']);
  const [old] = planDownloads(ribDownloads(['route-views2']));
  t.match(old?.download.url, /^https:\/\/archive\.routeviews\.org\/bgpdata\/\{yyyy\}/);
});

t.test('the next night requests the rest of a truncated dump of 50 MB', async (t) => {
  const { dir, served, night, server } = await collectors(t, ['rrc00']);
  const packed = gzipSync(randomFillSync(Buffer.alloc(50_000_000)), { level: 0 });
  const path = `${RIS}/2026.11/bview.20261117.0800.gz`;
  const cut = 30_000_000;
  served.set(path, (_request, response) => {
    response.writeHead(200, { 'Content-Length': packed.length, ETag: '"one"' });
    sendPiece(response, packed.subarray(0, cut), { dir, size: cut, folder: 'rib' });
  });
  served.set(`${RIS}/latest-bview.gz`, dump('not requested, because part of the dump has arrived'));
  const first = await night('2026-11-17T09:00:00Z');
  t.match(first.results, [
    { outcome: 'failed', failure: 'truncated', text: `after ${cut} of ${packed.length}` },
  ]);
  served.set(path, serveFile(packed, '"one"'));
  const second = await night('2026-11-17T17:00:00Z');
  t.match(second.results, [{ outcome: 'downloaded', file: 'rib/rrc00/bview.20261117.0800.gz' }]);
  t.equal(server.asked.at(-1)?.headers.range, `bytes=${cut}-`);
  t.ok(readFileSync(join(dir, 'rib/rrc00/bview.20261117.0800.gz')).equals(packed));
});

t.test('each host receives one request at a time', async (t) => {
  const names = ['rrc00', 'rrc12', 'rrc21'];
  const { served, night, kept } = await collectors(t, names);
  let open = 0;
  let most = 0;
  for (const name of names) {
    const path = `/data.ris.ripe.net/${name}/2026.11/bview.20261117.0800.gz`;
    served.set(path, (request, response) => {
      most = Math.max(most, ++open);
      response.on('close', () => open--);
      setImmediate(() => {
        serveFile(dump(name))(request, response);
      });
    });
  }
  const { results } = await night('2026-11-17T09:00:00Z');
  t.same(
    results.map(({ outcome }) => outcome),
    names.map(() => 'downloaded'),
  );
  t.equal(most, 1);
  t.equal(kept().length, 3, 'each in its collector’s folder');
});

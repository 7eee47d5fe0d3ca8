import t from 'tap';
import { tryContents, tryFiles } from '../testing/list-trial.js';
import type { ListClaim } from '../list-claim.js';
import { joinOpenProxies } from './open-proxy-layers.js';
import { OPEN_PROXIES } from './open-proxies.js';
import { fixtureBytes, refuses, wholeOrRefused } from './testing/hostile-files.js';

const TESTED = 'open-proxies/proxies.json';
const HTTP = 'open-proxies/http.txt';
const SCRAPED = ['http', 'https', 'socks4', 'socks5'].map((name) => `open-proxies/${name}.txt`);
const ONE_DAY = 'open-proxies/avastel-proxy-bot-ips-1day.txt';
const RANGES = ['5days', '8days'].map((span) => `open-proxies/avastel-proxy-bot-ips-blocklist-${span}.txt`);
const ALL = [TESTED, ...SCRAPED, ONE_DAY, ...RANGES];
/** 2026-11-16 and 2026-11-10. */
const [DAY, EARLIER] = [20_773, 20_767];

const tested: ListClaim = { type: 'PUB', evidence: 'confirmed' };
const seen: ListClaim = { type: 'RES', evidence: 'confirmed', lastSeen: DAY };
const range: ListClaim = { type: 'PUB', evidence: 'confirmed', lastSeen: DAY };
const scraped: ListClaim = { type: 'PUB', evidence: 'scraped' };

t.test('every row of the fixtures is counted, within the tolerance', async (t) => {
  const { tally } = await tryFiles(OPEN_PROXIES, ALL);
  const rows = ALL.map((id) => {
    const { accepted, rejected } = tally(id);
    t.ok(rejected <= (accepted + rejected) * OPEN_PROXIES.tolerance, id);
    return [accepted, rejected];
  });
  t.same(rows, [
    [12, 0],
    [40, 1],
    [3, 0],
    [4, 0],
    [3, 0],
    [20, 1],
    [4, 0],
    [3, 0],
  ]);
});

t.test('tested proxies are inserted with their exit address, not their host', async (t) => {
  const { claimAt, tally } = await tryFiles(OPEN_PROXIES, [TESTED]);
  t.same(claimAt('104.131.5.20'), tested);
  t.same(claimAt('104.18.32.7'), tested, 'an edge of Cloudflare: that is judged where all lists are known');
  t.same(claimAt('2001:41d0:1:2::7'), tested);
  t.equal(claimAt('104.18.9.14'), undefined, 'a host');
  t.equal(claimAt('46.101.3.9'), undefined, 'a host with an unknown exit');
  t.same(tally(TESTED).notes, { unknown: 1, duplicate: 1 });
});

t.test('scraped proxies are read in every format, without port, scheme and user', async (t) => {
  const { claimAt, tally, rejections } = await tryFiles(OPEN_PROXIES, [HTTP]);
  for (const address of [
    '46.101.3.10',
    '104.19.44.1',
    '5.9.14.8',
    '5.9.14.9',
    '5.9.14.10',
    '2001:41d0:3:4::9',
    '2001:41d0:3:4::a',
    '79.20.30.41',
    '79.20.30.42',
    '79.20.30.43',
    '79.20.30.44',
    '1.34.50.27',
  ]) {
    t.same(claimAt(address), scraped, address);
  }
  t.same(rejections(HTTP), ['reserved@9'], 'a bogon');
  t.same(tally(HTTP).notes, { mapped: 1 });
});

t.test('a header comment gives the date of a scraped file, which otherwise has none', async (t) => {
  const { claimAt } = await tryFiles(OPEN_PROXIES, SCRAPED);
  t.same(claimAt('58.69.12.13'), { ...scraped, lastSeen: EARLIER });
  t.same(claimAt('88.198.20.5'), scraped);
});

t.test('single addresses of Avastel are RES and ranges are PUB, with the date of the header', async (t) => {
  const { claimAt, rejections } = await tryFiles(OPEN_PROXIES, [ONE_DAY, ...RANGES]);
  t.same(claimAt('73.20.30.1'), seen);
  t.same(claimAt('49.180.1.2'), seen, 'a name with a semicolon');
  t.same(claimAt('58.69.12.14'), seen, 'no name');
  t.same(claimAt('2a02:1205:5000::1'), seen);
  t.same(claimAt('37.120.132.1'), range);
  t.same(claimAt('45.33.97.255'), range, 'a name with a comma');
  t.same(claimAt('37.120.132.77'), seen, 'the address itself comes before the range');
  t.same(rejections(ONE_DAY), ['reserved@26']);
});

t.test('tested proxies win over seen ones, and seen ones over scraped ones', async (t) => {
  const { claimAt } = await tryFiles(OPEN_PROXIES, ALL);
  t.same(claimAt('93.136.44.5'), tested, 'Avastel has it as RES');
  t.same(claimAt('1.34.50.1'), seen, 'scraped too');
  t.same(claimAt('46.101.3.10'), tested, 'in all of them');
  t.same(claimAt('46.101.3.11'), range);
  t.same(claimAt('104.19.44.1'), scraped);
});

t.test('a newer claim with the same evidence updates the day, a scraped one does not', (t) => {
  t.same(joinOpenProxies([undefined, undefined, undefined, undefined]), undefined);
  t.same(joinOpenProxies([undefined, undefined, range, scraped]), range);
  t.same(joinOpenProxies([{ ...tested, lastSeen: DAY - 5 }, undefined, range, undefined]), range);
  t.same(joinOpenProxies([{ ...tested, lastSeen: DAY - 5 }, seen, undefined, undefined]), {
    ...tested,
    lastSeen: DAY - 5,
  });
  t.same(joinOpenProxies([tested, undefined, range, undefined]), tested);
  t.end();
});

t.test('invalid rows are rejected, and excerpts have no users and passwords', async (t) => {
  const proxies = [
    { host: '5.9.0.1', exit_ip: '5.9.0.0/16' },
    { host: '5.9.0.1', exit_ip: 7 },
    'x',
    { password: 'secret' },
  ];
  const { rejections, tally } = await tryContents(t, OPEN_PROXIES, {
    [TESTED]: JSON.stringify(proxies),
    [HTTP]: [
      '5.9.0.1',
      'u:secret@proxy.example.net:80',
      'a:secret@5.9.0.1',
      '0.0.0.0/0:80',
      '5.9.0.999:80',
    ].join('\n'),
    [ONE_DAY]: 'ip_address;autonomous_system\n5.9.0.1\n5.9.0.x;A\n',
    [RANGES[0]!]: 'ip_address;autonomous_system;confidence\n5.9.0.0/24;A\n5.9.0.0/24;A;B\n5.9.0.0/24;A;1.5\n',
  });
  t.same(rejections(TESTED), ['address@1', 'json@2', 'json@3', 'json@4']);
  t.same(rejections(HTTP), ['address@2', 'address@4', 'address@5', 'columns@1', 'columns@3']);
  t.same(rejections(ONE_DAY), ['address@3', 'columns@2']);
  t.same(rejections(RANGES[0]!), ['columns@2', 'columns@3', 'columns@4']);
  for (const id of [TESTED, HTTP]) t.notMatch(JSON.stringify(tally(id)), /secret/);
  for (const id of [TESTED, HTTP, ONE_DAY, RANGES[0]!]) t.equal(tally(id).accepted, 0, id);
});

t.test('a line that is not UTF-8 is one bad row', async (t) => {
  const bytes = Buffer.from('5.9.0.1:80\n\xff\xfe\n5.9.0.2:80', 'latin1');
  const { rejections, tally } = await tryContents(t, OPEN_PROXIES, { [HTTP]: bytes });
  t.same(rejections(HTTP), ['encoding@2']);
  t.equal(tally(HTTP).accepted, 2);
});

t.test('a truncated file is refused when it states its number of rows', async (t) => {
  t.same(await wholeOrRefused(t, OPEN_PROXIES, TESTED), []);
  const whole = fixtureBytes(ONE_DAY);
  const lastRow = whole.lastIndexOf('\n', -2) + 1;
  const taken = await wholeOrRefused(t, OPEN_PROXIES, ONE_DAY);
  t.ok(
    taken.every((size) => size > lastRow),
    'but within the last row, which is then rejected',
  );
});

t.test('a scraped file truncated inside an address never gives another address', async (t) => {
  const text = '5.9.14.8:3128\n82.26.208.73:5380\n';
  for (let size = 1; size <= text.length; size++) {
    const { claimAt, tally } = await tryContents(t, OPEN_PROXIES, { [HTTP]: text.slice(0, size) });
    t.ok(tally(HTTP).rows > 0);
    for (const other of ['5.9.14.0', '82.26.208.7', '82.26.208.0', '82.26.2.0']) {
      t.equal(claimAt(other), undefined, `cut at ${size}`);
    }
  }
});

t.test('HTML pages, other columns and prefixes that are too wide are refused', async (t) => {
  for (const id of [TESTED, HTTP, ONE_DAY]) {
    await refuses(t, OPEN_PROXIES, { id, bytes: '<!doctype html><p>404', refusal: 'container' });
  }
  await refuses(t, OPEN_PROXIES, { id: TESTED, bytes: '{"proxies":[]}', refusal: 'header' });
  await refuses(t, OPEN_PROXIES, { id: ONE_DAY, bytes: '5.9.0.1;A\n', refusal: 'header' });
  await refuses(t, OPEN_PROXIES, { id: ONE_DAY, bytes: '# Number of proxy IPs: 0\n', refusal: 'truncated' });
  const wide = 'ip_address;autonomous_system;confidence\n4.0.0.0/7;A;1.0\n';
  await refuses(t, OPEN_PROXIES, { id: RANGES[0]!, bytes: wide, refusal: 'too-wide' });
});

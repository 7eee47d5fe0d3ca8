import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { VANTAGE_POINTS } from '../../pipeline/vantage-points/catalogue.js';
import { DohServer } from '../global-dns/testing/doh-server.js';
import { faultsIn, openPage, startBrowser, VIEWS, WITHOUT_BROWSER, type View } from '../testing/browser.js';
import { DnsServer } from '../testing/dns-server.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';
import { TEST_IDENTITY } from '../testing/tls-identity.js';

const NAME = 'www.example.com';
const doh = await DohServer.start({
  [NAME]: [{ type: 'A', name: NAME, ttl: 60, data: '8.8.8.8' }],
  'text.example.com': [
    { type: 'TXT', name: 'text.example.com', ttl: 5, data: `<img src=x>\u202E${'long'.repeat(60)}` },
  ],
});
const dns = await DnsServer.start({ [NAME]: { addresses: [SMALL.google] } });
t.teardown(() => Promise.all([doh.close(), dns.close()]));
const server = await runServer(t, {
  ...{ trustedProxies: ['127.0.0.1/32'], hasReport: true, dnsServers: [dns.address] },
  upstreams: {
    ...{ whoisRoot: 'whois.test-root.example.com', whoisPort: 43 },
    dohResolvers: [doh.resolver('Zero')],
    extraAuthorities: TEST_IDENTITY.authority,
  },
});

let visitors = 0;
/** Each view comes from another address: the limits of pages are per address. */
const from = (view: View, address = `198.51.100.${++visitors % 250}`): View => ({
  ...view,
  headers: { 'X-Forwarded-For': address },
});
const WIDE: View = { width: 1400, scheme: 'light', scripts: true };
const open = (path: string, view: View, address?: string) =>
  openPage(browser, `${server.url}${path}`, from(view, address));
const browser = WITHOUT_BROWSER === false ? await startBrowser(t) : (undefined as never);
const skip = { skip: WITHOUT_BROWSER };

/** Half of the views: width, scheme and scripts in every combination of two. */
const HALF = VIEWS.filter(
  ({ width, scheme, scripts }) => scripts === ((width === 1400) === (scheme === 'light')),
);

const PAGES: readonly (readonly [string, readonly View[]])[] = [
  ['/?lang=en', HALF],
  [`/lookup/${SMALL.google}?lang=en`, HALF],
  [`/lookup/${SMALL.shanghai}?lang=zh`, HALF],
  [`/lookup/${SMALL.vpn}?lang=en`, HALF.filter(({ scripts }) => scripts)],
  [`/lookup/${SMALL.reserved}?lang=zh`, HALF],
  [`/lookup/${NAME}?lang=zh`, HALF],
  ['/lookup/AS15169?lang=en', HALF],
  ['/lookup/8.8.8.0/24?lang=zh', HALF],
  ['/nothing/here?lang=zh', HALF],
  ['/status?lang=en', HALF],
  ['/status?lang=zh', HALF.filter(({ scripts }) => scripts)],
  ['/status/report', HALF.filter(({ scripts }) => scripts)],
  ['/global-dns?lang=zh', HALF],
  [`/global-dns/answers?name=${NAME}&lang=en`, HALF],
  ['/global-dns/answers?name=text.example.com&type=TXT&lang=zh', HALF.filter(({ scripts }) => scripts)],
];
for (const [path, views] of PAGES)
  t.test(`${path} has no fault, wide and narrow, light and dark`, skip, async (t) => {
    for (const view of views) {
      const faults = await faultsIn(browser, `${server.url}${path}`, from(view));
      // Chromium reports the status of the page itself.
      const others = faults.filter((fault) => !/^console: .* status of 404 /.test(fault));
      t.same(others, [], JSON.stringify(view));
    }
  });

t.test('/ shows the address of the visitor, and its map is drawn', skip, async (t) => {
  const { page, close } = await open('/', WIDE, SMALL.google);
  t.equal(await page.locator('h1').textContent(), SMALL.google);
  t.ok((await page.locator('.place > svg .pin').boundingBox())!.width > 5);
  const land = await page.locator('.place use.land').boundingBox();
  t.ok(land!.width > 400, 'the outlines have arrived');
  await close();
});

t.test('the keyboard is enough: skip link, box, answer', skip, async (t) => {
  const { page, close } = await open('/?lang=en', WIDE, SMALL.google);
  await page.keyboard.press('Tab');
  t.equal(await page.evaluate('document.activeElement.className'), 'skip');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  t.equal(await page.evaluate('document.activeElement.name'), 'q');
  await page.keyboard.type('8.8.8.0/24');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/lookup/8.8.8.0/24?lang=en');
  t.equal(await page.locator('h1').textContent(), '8.8.8.0/24');
  await close();
});

t.test('the keyboard starts a run of global DNS, and screen readers get its progress', skip, async (t) => {
  const { page, faults, close } = await open('/global-dns?lang=en', { ...WIDE, scripts: false });
  await page.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.type(NAME);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/global-dns\/answers/, { waitUntil: 'load' });
  const all = VANTAGE_POINTS.length;
  const log = page.getByRole('log', { name: 'Progress' });
  t.match(await log.innerText(), new RegExp(`${all} of ${all} places have answered`));
  const row = page.getByRole('row').filter({ hasText: 'A 8.8.8.8' });
  t.equal(await row.getByRole('img', { name: '1' }).count(), 1, 'the table has the sign of the dots');
  t.same(faults, []);
  await close();
});

t.test('a first visit loads less than 60 kB and paints within seconds', skip, async (t) => {
  for (const path of ['/', `/lookup/${SMALL.google}`, '/status', `/global-dns/answers?name=${NAME}`]) {
    const { page, close } = await open(path, WIDE);
    const bytes = await page.evaluate<number>(
      `performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
        .reduce((sum, { transferSize }) => sum + transferSize, 0)`,
    );
    t.ok(bytes > 0 && bytes < 60_000, `${path}: ${bytes} bytes with its assets`);
    const paintMs = await page.evaluate<number>(
      `new Promise((resolve) => new PerformanceObserver((list) => {
        for (const { startTime } of list.getEntriesByName('first-contentful-paint')) resolve(startTime);
      }).observe({ type: 'paint', buffered: true }))`,
    );
    t.ok(paintMs > 0 && paintMs < 5000, `${path}: first contentful paint after ${Math.round(paintMs)} ms`);
    await close();
  }
});

t.test('a page of another origin reads the API, but neither pages nor /mcp', skip, async (t) => {
  const other = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Another origin</title>');
  });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => other.close());
  const { port } = other.address() as AddressInfo;
  const { page, close } = await openPage(browser, `http://127.0.0.1:${port}/`, WIDE);
  const read = (path: string, init = {}) =>
    page.evaluate<string>(
      `fetch(${JSON.stringify(`${server.url}${path}`)}, ${JSON.stringify(init)})
        .then((response) => response.text(), ({ name }) => name)`,
    );
  t.match(JSON.parse(await read(`/api/ip/${SMALL.google}`)), { code: 0, data: { ip: SMALL.google } });
  t.equal(await read(`/lookup/${SMALL.google}`, { headers: { Accept: 'text/html' } }), 'TypeError');
  const headers = { 'Content-Type': 'application/json' };
  t.equal(await read('/mcp', { method: 'POST', headers, body: '{}' }), 'TypeError');
  await close();
});

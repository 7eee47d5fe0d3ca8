import t from 'tap';
import { VANTAGE_POINTS } from '../../pipeline/vantage-points/catalogue.js';
import { DohServer } from '../global-dns/testing/doh-server.js';
import { faultsIn, openPage, startBrowser, VIEWS, WITHOUT_BROWSER, type View } from '../testing/browser.js';
import { runServer } from '../testing/running-server.js';
import { TEST_IDENTITY } from '../testing/tls-identity.js';

const NAME = 'www.example.com';
const doh = await DohServer.start({
  [NAME]: [{ type: 'A', name: NAME, ttl: 60, data: '8.8.8.8' }],
  'text.example.com': [
    { type: 'TXT', name: 'text.example.com', ttl: 5, data: `<img src=x>\u202E${'long'.repeat(60)}` },
  ],
});
t.teardown(() => doh.close());
const server = await runServer(t, {
  trustedProxies: ['127.0.0.1/32'],
  hasReport: true,
  upstreams: {
    ...{ whoisRoot: 'whois.test-root.example.com', whoisPort: 43 },
    dohResolvers: [doh.resolver('Zero')],
    extraAuthorities: TEST_IDENTITY.authority,
  },
});

let visitors = 0;
/** Each view comes from another address: the limits of pages are per address. */
const fromElsewhere = (view: View): View => ({
  ...view,
  headers: { 'X-Forwarded-For': `198.51.100.${++visitors % 250}` },
});

/** Views of the pages whose layout others share. */
const SOME = VIEWS.filter(({ width, scheme, scripts }) => scripts && (width === 400) === (scheme === 'dark'));

t.test('status and global DNS have no faults in a browser', { skip: WITHOUT_BROWSER }, async (t) => {
  const browser = await startBrowser(t);
  const pages: readonly (readonly [string, readonly View[]])[] = [
    ['/status?lang=en', VIEWS],
    ['/status?lang=zh', SOME],
    ['/status/report', SOME],
    ['/global-dns?lang=zh', SOME],
    [`/global-dns/answers?name=${NAME}&lang=en`, VIEWS],
    ['/global-dns/answers?name=text.example.com&type=TXT&lang=zh', SOME],
  ];
  for (const [path, views] of pages)
    for (const view of views) {
      const faults = await faultsIn(browser, `${server.url}${path}`, fromElsewhere(view));
      t.same(faults, [], `${path} ${JSON.stringify(view)}`);
    }
});

t.test(
  'a run is asked for with the keyboard, and its progress is spoken',
  { skip: WITHOUT_BROWSER },
  async (t) => {
    const browser = await startBrowser(t);
    const view = fromElsewhere({ width: 1400, scheme: 'light', scripts: false });
    const opened = await openPage(browser, `${server.url}/global-dns?lang=en`, view);
    const { page, faults } = opened;
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
    await opened.close();
  },
);

t.test('first paint and size of the pages', { skip: WITHOUT_BROWSER }, async (t) => {
  const browser = await startBrowser(t);
  for (const path of ['/status', `/global-dns/answers?name=${NAME}`]) {
    const view = fromElsewhere({ width: 1400, scheme: 'light', scripts: true });
    const opened = await openPage(browser, `${server.url}${path}`, view);
    const { page } = opened;
    const bytes = await page.evaluate<number>(
      `performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
        .reduce((sum, { transferSize }) => sum + transferSize, 0)`,
    );
    t.ok(bytes > 0 && bytes < 60_000, `${path}: ${bytes} bytes with its assets`);
    await opened.close();
  }
});

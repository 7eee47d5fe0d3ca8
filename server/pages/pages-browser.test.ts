import t from 'tap';
import { examine, openPage, startBrowser, VIEWS, WITHOUT_BROWSER, type View } from '../testing/browser.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';

t.test('pages about targets in a browser', { skip: WITHOUT_BROWSER }, async (t) => {
  const server = await runServer(t, {
    trustedProxies: ['127.0.0.1/32'],
  });
  const browser = await startBrowser(t);
  let visitors = 0;
  /** Opens a page as a visitor of its own: limits are per address. */
  const open = (path: string, view: View, address = `198.51.100.${++visitors}`) =>
    openPage(browser, `${server.url}${path}`, { ...view, headers: { 'X-Forwarded-For': address } });
  const [wide] = VIEWS;

  for (const path of [
    `/lookup/${SMALL.google}`,
    `/lookup/${SMALL.shanghai}?lang=zh`,
    `/lookup/${SMALL.vpn}`,
    '/lookup/AS15169',
    '/lookup/8.8.8.0/24',
  ]) {
    t.test(`${path} has no fault, wide and narrow, light and dark`, async (t) => {
      for (const view of VIEWS.filter(({ scripts }) => scripts)) {
        const opened = await open(path, view);
        t.same(await examine(opened), [], JSON.stringify(view));
        await opened.close();
      }
    });
  }

  t.test('/ shows the address of the visitor and draws its map', async (t) => {
    const { page, close } = await open('/', wide!, SMALL.google);
    t.equal(await page.locator('h1').textContent(), SMALL.google);
    t.ok((await page.locator('.place > svg .pin').boundingBox())!.width > 5);
    const land = await page.locator('.place use.land').boundingBox();
    t.ok(land!.width > 400, 'the outlines have arrived');
    await close();
  });

  t.test('the keyboard is enough: skip link, box, answer', async (t) => {
    const { page, close } = await open('/?lang=en', wide!, SMALL.google);
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

  t.test('a first visit loads less than 60 kB', async (t) => {
    for (const path of [`/lookup/${SMALL.google}`, '/status', '/global-dns']) {
      const { page, close } = await open(path, wide!);
      const bytes = await page.evaluate<number>(
        "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind)).reduce((sum, one) => sum + one.transferSize, 0)",
      );
      t.ok(bytes > 0 && bytes < 60_000, `${path}: ${bytes} bytes`);
      await close();
    }
  });
});

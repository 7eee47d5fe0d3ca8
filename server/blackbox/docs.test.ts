import { brotliCompressSync, constants } from 'node:zlib';
import t from 'tap';
import { faultsIn, openPage, startBrowser, VIEWS, WITHOUT_BROWSER, type View } from '../testing/browser.js';
import { runServer } from '../testing/running-server.js';
import { BEHIND_PROXY } from './testing/callers.js';

const server = await runServer(t, BEHIND_PROXY);

let visitors = 0;
/** Pages are limited by address: each request is from another one. */
const visitor = (): Record<string, string> => ({
  'X-Forwarded-For': `198.51.${100 + (visitors >> 8)}.${visitors++ & 255}`,
});

/** Opens a page without a browser. */
async function open(path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${server.url}${path}`, {
    headers: { Accept: 'text/html', ...visitor(), ...headers },
  });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

const hrefsIn = (html: string): string[] => [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!);
const idsIn = (html: string): Set<string> =>
  new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!));

t.test('all links between pages of the documentation lead to a page and an anchor', async (t) => {
  const pages = new Map<string, string>();
  const queue = ['/docs?lang=en', '/docs?lang=zh'];
  const links: (readonly [from: string, path: string, anchor: string | undefined])[] = [];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (pages.has(path)) continue;
    const { status, html } = await open(path);
    t.equal(status, 200, path);
    t.ok(/^(?:(?!<h[2-6][ >])[\s\S])*<h1[ >]/.test(html), `${path}: the first heading comes first`);
    pages.set(path, html);
    for (const href of hrefsIn(html)) {
      const [to = '', anchor] = href.split('#');
      if (to !== '' && !to.startsWith('/docs')) continue;
      links.push([path, to === '' ? path : to, anchor]);
      if (to !== '') queue.push(to);
    }
  }
  t.ok(pages.size > 50, `${pages.size} pages in two languages`);
  const ids = new Map([...pages].map(([path, html]) => [path, idsIn(html)]));
  const broken = links.filter(
    ([, path, anchor]) => anchor !== undefined && ids.get(path)?.has(anchor) !== true,
  );
  t.same(broken, []);
  t.ok(links.filter(([, , anchor]) => anchor !== undefined).length > 100, 'anchors were followed');
});

t.test('a page has an ETag, and a browser that has it gets 304', async (t) => {
  const { status, headers, html } = await open('/docs/decisions');
  t.equal(status, 200);
  t.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  t.equal(headers.get('cache-control'), 'no-cache');
  t.match(headers.get('vary'), /Accept-Language/);
  t.match(headers.get('content-security-policy'), /script-src 'self'/);
  t.match(html, '<span id="decision-1"></span>');
  const etag = headers.get('etag')!;
  const again = await open('/docs/decisions', { 'If-None-Match': etag });
  t.equal(again.status, 304);
  t.equal(again.html, '');
  t.equal(again.headers.get('etag'), etag);
  const chinese = await open('/docs/decisions', { 'If-None-Match': etag, 'Accept-Language': 'zh-CN' });
  t.equal(chinese.status, 200, 'the page in another language has another tag');
  t.match(chinese.html, '<html lang="zh-CN">');
});

t.test('an unknown guide is a page with 404, and /docs is missing on a server without pages', async (t) => {
  for (const path of ['/docs/nothing', '/docs/api/nothing', '/docs/%3Cscript%3E']) {
    const { status, html } = await open(path);
    t.equal(status, 404, path);
    t.match(html, /all guides are listed at \/docs/);
    t.notMatch(html, '<script>');
  }
  const bare = await server.another({ hasPages: false });
  t.equal((await fetch(`${bare.url}/docs`)).status, 404);
});

t.test('every operation of the OpenAPI document is in the reference', async (t) => {
  const { paths, tags } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    readonly paths: Record<string, Record<string, { readonly operationId: string }>>;
    readonly tags: readonly { readonly name: string }[];
  };
  const names = tags.map(({ name }) => name.toLowerCase().replaceAll(' ', '-'));
  const pages = await Promise.all(names.map(async (name) => (await open(`/docs/api/${name}`)).html));
  const all = pages.join('').replace(/\s+/g, ' ');
  for (const [path, methods] of Object.entries(paths))
    for (const method of Object.keys(methods)) {
      const form = `data-method="${method.toUpperCase()}" data-path="${path}"`;
      t.ok(all.includes(form), form);
    }
});

t.test('pages are small, with style and scripts', async (t) => {
  const sizeOf = (text: string): number =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;
  for (const path of ['/docs', '/docs/build', '/docs/decisions', '/docs/api', '/docs/api/datasets']) {
    const { html } = await open(path);
    const assets = hrefsIn(html.replaceAll('src="', 'href="')).filter((href) => href.startsWith('/assets/'));
    const texts = await Promise.all(
      [...new Set(assets)].map(async (asset) => (await fetch(`${server.url}${asset}`)).text()),
    );
    const bytes = [html, ...texts].reduce((sum, text) => sum + sizeOf(text), 0);
    t.ok(bytes < 60_000, `${path}: ${bytes} bytes`);
  }
});

/** Views of the pages whose layout others share. */
const SOME: readonly View[] = VIEWS.filter(
  ({ width, scheme, scripts }) => scripts && (width === 400) === (scheme === 'dark'),
);

t.test('pages have no faults in a browser', { skip: WITHOUT_BROWSER }, async (t) => {
  const browser = await startBrowser(t);
  const pages: readonly (readonly [string, readonly View[]])[] = [
    ['/docs?lang=zh', SOME],
    ['/docs/overview', VIEWS],
    ['/docs/api/ip-lookup', VIEWS],
    ['/docs', SOME],
    ['/docs/api', SOME],
    ['/docs/decisions', SOME],
    ['/docs/fixtures', SOME],
    ['/docs/changelog', SOME],
    ['/docs/api/datasets?lang=zh', SOME],
    ['/docs/api/updates', SOME],
  ];
  for (const [path, views] of pages)
    for (const view of views) {
      const faults = await faultsIn(browser, `${server.url}${path}`, { ...view, headers: visitor() });
      t.same(faults, [], `${path} ${JSON.stringify(view)}`);
    }
});

t.test('forms call the API, with a key that stays in the tab', { skip: WITHOUT_BROWSER }, async (t) => {
  const browser = await startBrowser(t);
  const view = { width: 1400, scheme: 'light', scripts: true, headers: visitor() } as const;
  const { page, faults, close } = await openPage(browser, `${server.url}/docs/api/ip-lookup`, view);
  const form = page.locator('form.try[data-path="/api/ip/{target}"]');
  await form.locator('input[name="path:target"]').fill('8.8.8.8');
  await form.locator('input[name="query:fields"]').fill('country_code,asn');
  // By keyboard.
  await form.locator('input[name="query:fields"]').press('Enter');
  const result = form.locator('.result');
  await result.waitFor({ state: 'visible' });
  t.match(await result.innerText(), /"code": 0,\s*"data": \{\s*"country_code": "US",\s*"asn": 15169/);
  t.match(await result.innerText(), /^x-ratelimit-limit: 30$/m, 'without a key');
  t.match(
    await form.locator('[role=status]').innerText(),
    /^HTTP 200 · \d+ ms · GET \/api\/ip\/8\.8\.8\.8\?lang=en&fields=/,
  );

  const key = await server.key('pro');
  await form.locator('input[name=key]').fill(key);
  await form.locator('button').click();
  await page.waitForFunction("document.querySelector('form.try .result').innerText.includes('limit: 600')");
  const batch = page.locator('form.try[data-path="/api/ip/batch"]');
  t.equal(await batch.locator('input[name=key]').inputValue(), key, 'all forms of the page have the key');
  await batch.locator('button').click();
  await batch.locator('.result').waitFor({ state: 'visible' });
  t.match(await batch.locator('.result').innerText(), /"ip": "1\.1\.1\.1"/);
  t.same(await page.evaluate('Object.entries(localStorage)'), []);
  t.same(await page.context().cookies(), []);
  await page.reload();
  t.equal(await form.locator('input[name=key]').inputValue(), key, 'the tab keeps the key');
  await form.locator('input[name=key]').fill('');
  await form.locator('input[name="path:target"]').fill('127.1');
  await form.locator('button').click();
  await form.locator('.result').waitFor({ state: 'visible' });
  t.match(await form.locator('.result').innerText(), /"code": 400/);
  t.same(await page.evaluate('sessionStorage.length'), 0, 'an empty key is forgotten');
  t.match(await page.locator('.samples code').first().innerText(), server.url, 'samples name this server');
  t.same(faults, []);
  await close();
});

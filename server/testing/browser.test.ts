import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { faultsIn, startBrowser, VIEWS, WITHOUT_BROWSER } from './browser.js';

const GOOD =
  '<!doctype html><html lang="en"><head><title>Good</title><link rel="icon" href="data:,"></head><body><main><h1>Good</h1></main></body></html>';

const BAD = `<!doctype html><html lang="en"><head><title>Bad</title><link rel="icon" href="data:,">
<style>p { width: 3000px }</style></head><body><main><h1>Bad</h1><p>wide</p><img src="http://127.0.0.2:9/x.png">
<script>console.error('written by a script')</script></main></body></html>`;

t.test('the examination of a page reports each kind of fault', { skip: WITHOUT_BROWSER }, async (t) => {
  const server = createServer((req, res) => {
    const isStrict = req.url === '/strict';
    if (isStrict) res.setHeader('Content-Security-Policy', "default-src 'self'; img-src data:");
    res.setHeader('Content-Type', 'text/html');
    res.end(req.url === '/good' ? GOOD : BAD);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await startBrowser(t);

  for (const view of VIEWS) t.same(await faultsIn(browser, `${url}/good`, view), [], JSON.stringify(view));

  const narrow = { width: 400, scheme: 'light', scripts: true } as const;
  const faults = (await faultsIn(browser, `${url}/bad`, narrow)).join('\n');
  t.match(faults, /console: written by a script/);
  t.match(faults, /another origin: http:\/\/127\.0\.0\.2:9\/x\.png/);
  t.match(faults, /failed: http:\/\/127\.0\.0\.2:9\/x\.png/);
  t.match(faults, /\d+ px wide in a window of 400 px/);
  t.match(faults, /axe image-alt/);

  const strict = (await faultsIn(browser, `${url}/strict`, narrow)).join('\n');
  t.match(strict, /inline style .*Content Security Policy/s);
  t.match(strict, /inline script .*Content Security Policy/s);
});

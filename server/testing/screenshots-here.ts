import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { VANTAGE_POINTS } from '../../pipeline/vantage-points/catalogue.js';
import { DohServer } from '../global-dns/testing/doh-server.js';
import { openPage, startBrowser, WITHOUT_BROWSER, type View } from './browser.js';
import { runServer } from './running-server.js';
import { TEST_IDENTITY } from './tls-identity.js';

/** The folder of the pictures in the guide of the pages; this file is compiled to `dist/server/testing`. */
const PICTURES = join(import.meta.dirname, '../../../server/pages/screenshots');
const NAME = 'www.example.com';

/** Countries of places with an answer of their own in the picture of global DNS. */
const EUROPE: ReadonlySet<string | undefined> = new Set(['GB', 'FR', 'DE', 'IT', 'ES', 'NL', 'RU', 'TR']);

const WIDE: View = { width: 1100, scheme: 'light', scripts: true };
const NARROW: View = { width: 400, scheme: 'dark', scripts: true };

/** The pictures: name, path, how it is seen, and its height in pixels. */
const SHOTS: readonly (readonly [string, string, View, number])[] = [
  ['lookup', '/lookup/8.8.8.8?lang=en', WIDE, 1300],
  ['lookup-narrow', '/lookup/114.114.114.114?lang=zh', NARROW, 1100],
  ['global-dns', `/global-dns/answers?name=${NAME}&lang=en`, WIDE, 1000],
];

/** Runs `make screenshots`: takes the pictures of the guide from a server with the release in OUTPUT. */
const ends: (() => unknown)[] = [];
try {
  await takePictures(process.env['OUTPUT'] ?? join(process.cwd(), 'output'));
} finally {
  for (const end of ends) await end();
}

async function takePictures(outputDir: string): Promise<void> {
  if (WITHOUT_BROWSER !== false) throw new Error(`no pictures: ${WITHOUT_BROWSER}`);
  if (!existsSync(join(outputDir, 'current')))
    throw new Error(`no release in ${outputDir}: run "make build-data"`);
  const lifetime = { teardown: (end: () => unknown) => void ends.unshift(end) };
  const doh = await DohServer.start({
    [NAME]: (subnet) => [{ type: 'A', name: NAME, ttl: 60, data: nearTo(subnet) }],
  });
  lifetime.teardown(() => doh.close());
  const server = await runServer(lifetime, {
    ...{ outputDir, withRelease: false },
    upstreams: {
      ...{ whoisRoot: 'whois.test-root.example.com', whoisPort: 43 },
      dohResolvers: [doh.resolver('Example resolver')],
      extraAuthorities: TEST_IDENTITY.authority,
    },
  });
  const browser = await startBrowser(lifetime);
  mkdirSync(PICTURES, { recursive: true });
  for (const [name, path, view, height] of SHOTS) {
    const { page, close } = await openPage(browser, `${server.url}${path}`, view);
    await page.setViewportSize({ width: view.width, height });
    await page.screenshot({ path: join(PICTURES, `${name}.png`), scale: 'css' });
    process.stdout.write(`${name}.png: ${path}\n`);
    await close();
  }
}

/** Returns the address of a name with servers in four parts of the world, as its resolver would. */
function nearTo(subnet: string | undefined): string {
  const place = VANTAGE_POINTS.find((one) => one.subnet.split('/')[0] === subnet);
  if (place?.flag === 'CN') return place.code % 10 === 2 ? '123.125.81.6' : '114.114.114.114';
  return EUROPE.has(place?.flag) ? '9.9.9.9' : '8.8.8.8';
}

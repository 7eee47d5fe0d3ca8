import axe from 'axe-core';
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { Lifetime } from '../../pipeline/testing/lifetime.js';

const CHROMIUM = '/usr/bin/chromium';

/** The reason to skip tests in a browser; false where Debian's Chromium is installed. `BROWSER=off` skips them, too. */
export const WITHOUT_BROWSER =
  process.env['BROWSER'] === 'off' ? 'BROWSER=off' : existsSync(CHROMIUM) ? false : `no ${CHROMIUM}`;

/** How a page is seen. */
export interface View {
  /** Pixels. */
  readonly width: number;
  readonly scheme: 'light' | 'dark';
  readonly scripts: boolean;
  /** `en-US` by default. */
  readonly locale?: string;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Wide and narrow, light and dark, with and without scripts. */
export const VIEWS: readonly View[] = [1400, 400].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    [true, false].map((scripts) => ({ width, scheme, scripts })),
  ),
);

/** A page in a browser. */
export interface OpenPage {
  readonly page: Page;
  readonly view: View;
  /** Faults so far: errors, violations of the policy, requests that failed or left the origin. */
  readonly faults: readonly string[];
  readonly close: () => Promise<void>;
}

/** Starts Chromium. It ends with the test. */
export async function startBrowser(t: Lifetime): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
  t.teardown(() => browser.close());
  return browser;
}

/** Opens a page and collects its faults. Throws if there is no answer. */
export async function openPage(browser: Browser, url: string, view: View): Promise<OpenPage> {
  const context = await contextFor(browser, view, view.scripts);
  const page = await context.newPage();
  const faults = faultsOf(context, page, new URL(url).origin);
  await page.goto(url, { waitUntil: 'load' });
  return { page, view, faults, close: () => context.close() };
}

function contextFor(
  browser: Browser,
  { width, scheme, locale = 'en-US', headers = {} }: View,
  hasScripts: boolean,
): Promise<BrowserContext> {
  return browser.newContext({
    ...{ viewport: { width, height: 900 }, colorScheme: scheme, javaScriptEnabled: hasScripts, locale },
    extraHTTPHeaders: { ...headers },
  });
}

/** Chromium reports what a policy blocks on the console. */
function faultsOf(context: BrowserContext, page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') faults.push(`console: ${line.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  context.on('requestfailed', (request) => {
    faults.push(`failed: ${request.url()}: ${request.failure()?.errorText ?? ''}`);
  });
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`another origin: ${request.url()}`);
  });
  return faults;
}

/** Returns all faults of an open page, with those of its layout and, by axe-core, of its accessibility. */
export async function examine({ page, view, faults }: OpenPage): Promise<string[]> {
  const [shown, full] = await page.evaluate<[number, number]>(
    '[document.documentElement.clientWidth, document.documentElement.scrollWidth]',
  );
  const wide = full > shown ? [`${full} px wide in a window of ${shown} px`] : [];
  const barriers = await (view.scripts ? barriersIn(page) : barriersWithoutScripts(page, view));
  return [...faults, ...wide, ...barriers];
}

async function barriersIn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `axe ${id}: ${help}: ${html.slice(0, 200)}`),
  );
}

/** Opens the page once more with empty scripts: axe does not run in a page whose scripts are off. */
async function barriersWithoutScripts(opened: Page, view: View): Promise<string[]> {
  const context = await contextFor(opened.context().browser()!, view, true);
  try {
    const page = await context.newPage();
    await page.route('**/*', (route) =>
      route.request().resourceType() === 'script'
        ? route.fulfill({ contentType: 'text/javascript', body: '' })
        : route.continue(),
    );
    await page.goto(opened.url(), { waitUntil: 'load' });
    return await barriersIn(page);
  } finally {
    await context.close();
  }
}

/** Opens a page, examines it and closes it. */
export async function faultsIn(browser: Browser, url: string, view: View): Promise<string[]> {
  const opened = await openPage(browser, url, view);
  try {
    return await examine(opened);
  } finally {
    await opened.close();
  }
}

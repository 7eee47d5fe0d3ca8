import t from 'tap';
import { openPage, startBrowser, WITHOUT_BROWSER, type View } from '../testing/browser.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';

const WIDE: View = { width: 1400, scheme: 'light', scripts: true };
const NARROW: View = { width: 400, scheme: 'light', scripts: true };

/** What is wrong with the layout of a page: an expression that gives false or a text. */
const LAYOUTS: readonly (readonly [path: string, view: View, wrong: string])[] = [
  [
    '/status?lang=en',
    WIDE,
    `(first('#inputs table').style.width = '1px') && linesOf('#inputs td:last-child') > 1 && 'a date in two lines'`,
  ],
  [
    `/lookup/${SMALL.google}?lang=zh`,
    NARROW,
    `box('.answer .facts dd').top < box('.answer .facts dt').bottom && 'a fact beside its name'`,
  ],
  ['/status', NARROW, `size('h1') <= size('h2') && 'a first heading smaller than a second'`],
  [
    '/global-dns',
    WIDE,
    `box('.question input[name=name]').height !== box('.question select').height && 'heights'`,
  ],
  ['/global-dns', WIDE, `style('.question select').color !== style('body').color && 'grey values'`],
  [
    '/docs/server?lang=en',
    WIDE,
    `columnTops('.contents li').length > 1 && 'columns that begin at ' + columnTops('.contents li')`,
  ],
];
const MEASURES = `
  const first = (selector) => document.querySelector(selector);
  const box = (selector) => first(selector).getBoundingClientRect();
  const style = (selector) => getComputedStyle(first(selector));
  const size = (selector) => parseFloat(style(selector).fontSize);
  const linesOf = (selector) => {
    const range = document.createRange();
    range.selectNodeContents(first(selector));
    return range.getClientRects().length;
  };
  const columnTops = (selector) => {
    const tops = new Map();
    for (const { left, top } of Array.from(document.querySelectorAll(selector), (one) => one.getBoundingClientRect()))
      tops.set(left, Math.min(top, tops.get(left) ?? Infinity));
    return [...new Set(tops.values())];
  };`;

t.test('headings, columns, forms and facts are laid out evenly', { skip: WITHOUT_BROWSER }, async (t) => {
  const server = await runServer(t);
  const browser = await startBrowser(t);
  for (const [path, view, wrong] of LAYOUTS) {
    const { page, close } = await openPage(browser, `${server.url}${path}`, view);
    t.equal(
      await page.evaluate(`(() => {${MEASURES} return ${wrong}; })()`),
      false,
      `${path}, ${view.width} px`,
    );
    await close();
  }
});

import t from 'tap';
import { html } from '../../pipeline/html/markup.js';
import { startBrowser, WITHOUT_BROWSER } from '../testing/browser.js';
import { liveParts, type LivePart } from './live-parts.js';

const part = (place: string, markup: LivePart['markup']): LivePart => ({
  place,
  waiting: `waiting for ${place}`,
  markup,
});

t.test('parts are sent as they arrive, into the places of their order', async (t) => {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const parts = [
    part(
      'slow',
      gate.then(() => html`late`),
    ),
    part('fast', Promise.resolve(html`early`)),
  ];
  const pieces = liveParts(parts)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => ((await pieces.next()).value as { text: string }).text;
  t.match(await next(), /<slot name="slow"><p>waiting for slow<\/p><\/slot><slot name="fast">/);
  t.equal(await next(), '<div slot="fast">early</div>');
  open();
  t.equal(await next(), '<div slot="slow">late</div>');
  t.match(await next(), '</div>');
  t.equal((await pieces.next()).done, true);
});

t.test('a page without parts has no places', async (t) => {
  t.equal((await liveParts([])[Symbol.asyncIterator]().next()).done, true);
});

t.test('a part that fails ends the page, and is ignored where nothing is read', async (t) => {
  const failing = part('failing', Promise.reject(new Error('a bug')));
  liveParts([failing]);
  const pieces = liveParts([failing])[Symbol.asyncIterator]();
  await pieces.next();
  await t.rejects(pieces.next(), { message: 'a bug' });
});

t.test('a browser shows parts in their places, without scripts', { skip: WITHOUT_BROWSER }, async (t) => {
  const late = new Promise<void>((resolve) => setImmediate(resolve)).then(() => html`first`);
  let text = '<!doctype html>';
  for await (const piece of liveParts([part('one', late), part('two', Promise.resolve(html`second`))]))
    text += piece.text;
  t.ok(text.indexOf('second') < text.indexOf('first'), 'in the order of arrival');
  const browser = await startBrowser(t);
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`data:text/html,${encodeURIComponent(text)}`);
  const topOf = async (name: string): Promise<number> => (await page.getByText(name).boundingBox())!.y;
  t.ok((await topOf('first')) < (await topOf('second')), 'in the order of their places');
  t.notOk(await page.getByText('waiting for one').isVisible());
});

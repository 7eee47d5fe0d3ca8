import t from 'tap';
import { html } from '../../../pipeline/html/markup.js';
import { VANTAGE_POINTS } from '../../../pipeline/vantage-points/catalogue.js';
import { Assets } from '../assets.js';
import type { PlaceAnswer } from './ask-places.js';
import { results } from './results.js';

const [failing, early, ...rest] = VANTAGE_POINTS;

/** The answers of a run: a failure first, then a rare answer, then the most frequent one. */
async function* answers(): AsyncGenerator<PlaceAnswer> {
  await Promise.resolve();
  yield { place: failing!, answer: { records: [], rcode: '', time_ms: 0, error: 'no turn' } };
  for (const place of [early!, ...rest]) {
    const value = place === early ? '192.0.2.1' : '192.0.2.2';
    const records = [{ type: 'A', name: 'a.example.com', ttl: 1, value }] as PlaceAnswer['answer']['records'];
    yield { place, answer: { records, rcode: 'NOERROR', time_ms: 1 } };
  }
}

t.test('at the end of a run the map and the table number the answers by size', async (t) => {
  const points = new Map(VANTAGE_POINTS.map(({ code }, i) => [code, [i, i] as const]));
  const pieces: string[] = [];
  const parts = { assets: Assets.read(), language: 'en', points, downloads: html`` } as const;
  for await (const { text } of results(answers(), parts)) pieces.push(text);
  const signs = (text: string): string[] =>
    Array.from(text.matchAll(/<text[^>]*>(.)<\/text>/g), ([, sign]) => sign!);
  t.same(pieces.slice(1, 4).flatMap(signs), ['×', '2', '3'], 'during the run in the order of arrival');
  const [ranked, , table] = pieces.slice(-3);
  t.match(ranked, /class="layer ranked"/);
  t.same(signs(ranked!), [...rest.map(() => '1'), '2', '×'], 'all places are drawn again');
  t.same(signs(table!), ['1', '2', '×']);
  const rows = table!.split('<tr>').slice(-3);
  t.match(rows[0], /192\.0\.2\.2/);
  t.match(rows[0], new RegExp(`${rest.length}:`));
  t.match(rows[1], /192\.0\.2\.1</);
  t.match(rows[2], /no turn/);
});

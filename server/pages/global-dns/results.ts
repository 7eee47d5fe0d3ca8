import { html, type Insert, type Markup } from '../../../pipeline/html/markup.js';
import { renderSection } from '../../../pipeline/html/section.js';
import { table } from '../../../pipeline/html/table.js';
import { MAP_HEIGHT, MAP_WIDTH } from '../../../pipeline/html/world-shapes.js';
import type { Language } from '../../../pipeline/record/language.js';
import { VANTAGE_POINTS } from '../../../pipeline/vantage-points/catalogue.js';
import type { Assets } from '../assets.js';
import { AnswerGroups, type AnswerGroup } from './answer-groups.js';
import type { PlaceAnswer } from './ask-places.js';
import { GLOBAL_DNS_WORDS } from './words.js';

/** What the results are drawn with. */
export interface ResultParts {
  readonly assets: Assets;
  readonly language: Language;
  readonly points: ReadonlyMap<number, readonly [number, number]>;
  /** Links to the same run as files. */
  readonly downloads: Markup;
}

/** Colours repeat after this many groups; the number in the dot and in the table tells them apart. */
const COLOURS = 8;

/**
 * Yields the map, a dot for each answer as it arrives, and the table of all answers. Each dot is a picture of its own
 * over the map, so that a page shows it at once without a script.
 */
export async function* results(
  answers: AsyncIterable<PlaceAnswer>,
  parts: ResultParts,
): AsyncGenerator<Markup> {
  const groups = new AnswerGroups();
  const words = GLOBAL_DNS_WORDS[parts.language];
  const [begin, end] = mapFrame(parts, words.map);
  yield begin;
  let count = 0;
  for await (const answer of answers) yield dot(answer, groups.add(answer), { ...parts, count: ++count });
  yield end;
  yield answerTable(groups, parts);
}

/** Where the dots go in the map. */
const DOTS = '<!-- dots -->';

function mapFrame({ assets }: ResultParts, label: string): readonly [Markup, Markup] {
  const whole = html`<figure class="map place live" aria-label="${label}">
    <svg viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" role="img" aria-label="${label}">
      <use class="land" href="${assets.pathOf('world.svg')}#land" />
    </svg>
    ${html`<!-- dots -->`}
  </figure>`;
  return whole.splitAt(DOTS);
}

function dot(
  { place }: PlaceAnswer,
  { number, error }: AnswerGroup,
  { points, language, count }: ResultParts & { readonly count: number },
): Markup {
  const point = points.get(place.code);
  const progress = html`<small class="count" aria-hidden="true">${count} / ${VANTAGE_POINTS.length}</small>`;
  if (point === undefined) return progress;
  const [x, y] = point;
  const kind = error === undefined ? `group${(number - 1) % COLOURS}` : 'failed';
  return html`<svg class="layer" viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" aria-hidden="true">
      <g>
        <title>${place.label[language]}</title>
        <circle class="${kind}" cx="${x}" cy="${y}" r="6" />
        <text x="${x}" y="${y + 2.5}">${error === undefined ? number : '×'}</text>
      </g></svg
    >${progress}`;
}

function answerTable(groups: AnswerGroups, { language, downloads }: ResultParts): Markup {
  const words = GLOBAL_DNS_WORDS[language];
  const all = groups.all;
  const failed = all
    .filter(({ error }) => error !== undefined)
    .reduce((sum, { places }) => sum + places.length, 0);
  const rows = all.map(({ number, values, error, operators, places }): Insert[] => [
    html`<span class="mark">${error === undefined ? number : '×'}</span>`,
    error ?? (values.length === 0 ? words.noRecords : html`<code>${values.join('\n')}</code>`),
    operators.join(', '),
    html`${places.length}:
    ${places
      .map(({ label }) => label[language])
      .sort()
      .join(', ')}`,
  ]);
  const answered = all.filter(({ error }) => error === undefined).length;
  return renderSection({
    id: 'answers',
    title: words.answers,
    body: html`<p>${words.summary(answered, VANTAGE_POINTS.length, failed)} ${downloads}</p>
      ${table({
        caption: `${words.answers} (${all.length})`,
        columns: [{ name: '#' }, { name: words.answer }, { name: words.operator }, { name: words.places }],
        rows,
        isText: true,
      })}`,
  });
}

import { html, type Insert, type Markup } from '../../../pipeline/html/markup.js';
import { renderSection } from '../../../pipeline/html/section.js';
import { table } from '../../../pipeline/html/table.js';
import { MAP_HEIGHT, MAP_WIDTH } from '../../../pipeline/html/world-shapes.js';
import type { Language } from '../../../pipeline/record/language.js';
import { VANTAGE_POINTS } from '../../../pipeline/vantage-points/catalogue.js';
import type { Assets } from '../assets.js';
import { LIST_COMMA } from '../facts.js';
import { AnswerGroups, type AnswerGroup } from './answer-groups.js';
import type { PlaceAnswer } from './ask-places.js';
import { GLOBAL_DNS_WORDS, type GlobalDnsWords } from './words.js';

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
 * over the map, so that a page shows it at once without a script. At the end all dots are drawn once more, over the
 * others: only then is it known which answer is the most frequent one and has number 1.
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
  const { ranked } = groups;
  yield rankedDots(ranked, parts);
  yield end;
  yield answerTable(ranked, parts);
}

/** Where the dots go in the map. */
const DOTS = html`<!-- dots -->`;

function mapFrame({ assets, language }: ResultParts, label: string): readonly [Markup, Markup] {
  const whole = html`<figure class="map place live" aria-label="${label}">
    <svg viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" role="img" aria-label="${label}">
      <use class="land" href="${assets.pathOf('world.svg')}#land" />
    </svg>
    <div role="log" aria-label="${GLOBAL_DNS_WORDS[language].progress}">${DOTS}</div>
  </figure>`;
  return whole.splitAt(DOTS.text);
}

function dot(
  { place }: PlaceAnswer,
  group: AnswerGroup,
  { points, language, count }: ResultParts & { readonly count: number },
): Markup {
  const point = points.get(place.code);
  if (point === undefined) return progress(count, language);
  return html`<svg class="layer" viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" aria-hidden="true">
      ${mark(place.label[language], point, group)}</svg
    >${progress(count, language)}`;
}

function rankedDots(ranked: readonly AnswerGroup[], { points, language }: ResultParts): Markup {
  const marks = ranked.flatMap((group) =>
    group.places.map(({ code, label }) => {
      const point = points.get(code);
      return point !== undefined && mark(label[language], point, group);
    }),
  );
  return html`<svg class="layer ranked" viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" aria-hidden="true">
    ${marks}
  </svg>`;
}

function mark(label: string, [x, y]: readonly [number, number], group: AnswerGroup): Markup {
  return html`<g>
    <title>${label}</title>
    <circle class="${colourOf(group)}" cx="${x}" cy="${y}" r="6" />
    <text x="${x}" y="${y}">${signOf(group)}</text>
  </g>`;
}

/** A screen reader says the number of answers only from time to time. */
const SPOKEN_EACH = 27;

function progress(count: number, language: Language): Markup {
  const all = VANTAGE_POINTS.length;
  const spoken =
    count % SPOKEN_EACH === 0 &&
    html`<span class="unseen">${GLOBAL_DNS_WORDS[language].answered(count, all)}</span>`;
  return html`<small class="count" aria-hidden="true">${count} / ${all}</small>${spoken}`;
}

function colourOf({ number, error }: AnswerGroup): string {
  return error === undefined ? `group${(number - 1) % COLOURS}` : 'failed';
}

function signOf({ number, error }: AnswerGroup): number | string {
  return error === undefined ? number : '×';
}

/** Draws the dot of a group in the table, as it is on the map. */
function keyOf(group: AnswerGroup): Markup {
  return html`<svg class="key" viewBox="0 0 16 16" role="img" aria-label="${signOf(group)}">
    <circle class="${colourOf(group)}" cx="8" cy="8" r="8" />
    <text x="8" y="8">${signOf(group)}</text>
  </svg>`;
}

function answerTable(ranked: readonly AnswerGroup[], { language, downloads }: ResultParts): Markup {
  const words = GLOBAL_DNS_WORDS[language];
  const failed = ranked
    .filter(({ error }) => error !== undefined)
    .reduce((sum, { places }) => sum + places.length, 0);
  const rows = ranked.map((group): Insert[] => {
    const { operators, places } = group;
    return [
      keyOf(group),
      answerOf(group, words),
      operators.join(LIST_COMMA[language]),
      html`${places.length}: ${namesOf(places, language)}`,
    ];
  });
  const answered = ranked.filter(({ error }) => error === undefined).length;
  return renderSection({
    id: 'answers',
    title: words.answers,
    body: html`<p>${words.summary(answered, VANTAGE_POINTS.length - failed, failed)} ${downloads}</p>
      ${table({
        caption: words.map,
        columns: [{ name: '#' }, { name: words.answer }, { name: words.operator }, { name: words.places }],
        rows,
        isText: true,
      })}`,
  });
}

/** Returns the names of places in the order of the catalogue. */
function namesOf(places: AnswerGroup['places'], language: Language): string {
  const codes = new Set(places.map(({ code }) => code));
  const names = VANTAGE_POINTS.filter(({ code }) => codes.has(code)).map(({ label }) => label[language]);
  return names.join(LIST_COMMA[language]);
}

function answerOf({ values, error }: AnswerGroup, words: GlobalDnsWords): Insert {
  if (error !== undefined) return html`${words.noAnswer} <span lang="en">${error}</span>`;
  return values.length === 0 ? words.noRecords : html`<code>${values.join('\n')}</code>`;
}

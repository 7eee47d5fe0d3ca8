import { z } from 'zod';
import { html, type Markup } from '../../../pipeline/html/markup.js';
import type { Language } from '../../../pipeline/record/language.js';
import { VANTAGE_POINTS } from '../../../pipeline/vantage-points/catalogue.js';
import { ConcurrencyLimit } from '../../concurrency-limit.js';
import { CountPerKey } from '../../count-per-key.js';
import { Failure } from '../../failure.js';
import { parseGlobalQuestion, type GlobalQuestion } from '../../global-dns/global-question.js';
import { page } from '../../http/answer.js';
import type { Route } from '../../http/route.js';
import { sourceOf } from '../../ledger/subject.js';
import type { Parts } from '../../parts.js';
import type { Assets } from '../assets.js';
import { definePage } from '../define-page.js';
import { renderPage } from '../layout.js';
import { streamPage } from '../stream-page.js';
import { csvFile, ndjsonFile } from './answer-files.js';
import { askPlaces, type PlaceAnswer } from './ask-places.js';
import { placePoints } from './place-points.js';
import { results } from './results.js';
import { GLOBAL_DNS_WORDS } from './words.js';

/** What the pages are made from. */
export interface GlobalDnsPageParts extends Pick<Parts, 'globalDns' | 'records' | 'reserved'> {
  readonly assets: Assets;
}

const TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'HTTPS', 'CAA', 'SOA'];

/** Questions of all runs of a process at a time. */
const OF_ALL_RUNS = 24;

/** Runs of one source at a time, so that it leaves turns to others. The second is for a page that is reloaded. */
const OF_ONE_SOURCE = 2;

const query = z.object({
  name: z.string().trim().max(253, 'name is longer than 253 characters').optional(),
  type: z.string().max(10).optional(),
  resolver: z.string().max(2).optional(),
  format: z.enum(['csv', 'ndjson'], 'invalid format: expected csv or ndjson').optional(),
});

/** GET /global-dns: the form */
export const globalDnsForm = (parts: GlobalDnsPageParts): Route =>
  definePage({
    paths: ['/global-dns'],
    name: 'globalDnsPage',
    answer({ language }) {
      const { title } = GLOBAL_DNS_WORDS[language];
      return page(
        renderPage(parts.assets, { title, language, path: '/global-dns', main: intro(parts, language) }),
      );
    },
  });

/** GET /global-dns/answers?name=&type=&resolver=: asks for all places; the answers arrive one by one */
export function globalDnsAnswers(parts: GlobalDnsPageParts): Route {
  const run = { ...parts, limit: new ConcurrencyLimit(OF_ALL_RUNS, 'too many questions at the moment') };
  const running = new CountPerKey();
  return definePage({
    paths: ['/global-dns/answers'],
    name: 'globalDnsAnswersPage',
    bucket: 'global-dns-runs',
    query,
    answer({ client, language, snapshot, query: { name, type, resolver, format } }) {
      const { reserved, globalDns, assets } = parts;
      const question = parseGlobalQuestion(
        { domain: name, type, provider: resolver, region: undefined },
        { resolvers: globalDns.resolvers, reserved },
      );
      if (question.error !== undefined) throw new Failure(400, question.error);
      return () => {
        const source = sourceOf(client);
        if (running.of(source) >= OF_ONE_SOURCE) throw tooManyRuns();
        const answers = counted(askPlaces(run, { question, snapshot, language }), { running, source });
        if (format === 'csv') return Promise.resolve(csvFile(answers));
        if (format === 'ndjson') return Promise.resolve(ndjsonFile(answers));
        const path = pathOf(question, resolver);
        const points = placePoints(snapshot, assets.centres);
        const downloads = downloadLinks(path, language);
        return Promise.resolve(
          streamPage(assets, {
            title: question.name!,
            language,
            path,
            first: intro(parts, language, { ...question, index: resolver }),
            later: results(answers, { assets, language, points, downloads }),
          }),
        );
      };
    },
  });
}

function tooManyRuns(): Failure {
  const message = `${OF_ONE_SOURCE} runs of your address are not finished; try again later`;
  return new Failure(429, message, {}, { headers: { 'Retry-After': '10' } });
}

/** Counts a run until its consumer stops. A run that is never begun is not counted, so that no count remains. */
async function* counted(
  answers: AsyncGenerator<PlaceAnswer>,
  { running, source }: { readonly running: CountPerKey; readonly source: string },
): AsyncGenerator<PlaceAnswer> {
  running.enter(source);
  try {
    yield* answers;
  } finally {
    running.leave(source);
  }
}

function pathOf({ name, type }: GlobalQuestion, resolver = '0'): string {
  return `/global-dns/answers?${new URLSearchParams({ name: name!, type, resolver }).toString()}`;
}

function downloadLinks(path: string, language: Language): Markup {
  const link = (format: string) =>
    html` <a href="${path}&format=${format}" download="download">${format.toUpperCase()}</a>`;
  return html`${GLOBAL_DNS_WORDS[language].export}:${link('csv')}${link('ndjson')}`;
}

/** Renders the heading and the form, filled with the question of this page. */
function intro(
  { globalDns }: GlobalDnsPageParts,
  language: Language,
  asked?: Pick<GlobalQuestion, 'name' | 'type' | 'resolver'> & { readonly index: string | undefined },
): Markup {
  const words = GLOBAL_DNS_WORDS[language];
  const option = (value: string, label: string, isChosen: boolean): Markup =>
    html`<option value="${value}" ${isChosen && html` selected="selected"`}>${label}</option>`;
  const heading = asked ? words.answersOf(asked.name!, asked.type, asked.resolver!.name) : words.title;
  return html`<section aria-labelledby="global-dns">
    <h1 id="global-dns">${heading}</h1>
    <p>${words.lead(VANTAGE_POINTS.length)}</p>
    <form class="question" action="/global-dns/answers">
      <input type="hidden" name="lang" value="${language}" />
      <label
        >${words.name}<input
          name="name"
          required="required"
          maxlength="253"
          autocapitalize="none"
          spellcheck="false"
          value="${asked?.name ?? ''}"
      /></label>
      <label
        >${words.type}<select name="type">
          ${TYPES.map((type) => option(type, type, type === asked?.type))}
        </select></label
      >
      <label
        >${words.resolver}<select name="resolver">
          ${globalDns.resolvers.map(({ name }, i) => option(String(i), name, String(i) === asked?.index))}
        </select></label
      >
      <button>${words.ask}</button>
    </form>
  </section> `;
}

import { z } from 'zod';
import { html, type Markup } from '../../../pipeline/html/markup.js';
import type { Language } from '../../../pipeline/record/language.js';
import { ConcurrencyLimit } from '../../concurrency-limit.js';
import { CountPerKey } from '../../count-per-key.js';
import type { Failure } from '../../failure.js';
import { parseGlobalQuestion, type GlobalQuestion } from '../../global-dns/global-question.js';
import { page, type Answer } from '../../http/answer.js';
import type { Route } from '../../http/route.js';
import { sourceOf } from '../../ledger/subject.js';
import type { Parts } from '../../parts.js';
import type { Snapshot } from '../../release/snapshot.js';
import type { Assets } from '../assets.js';
import { definePage } from '../define-page.js';
import { renderPage } from '../layout.js';
import { PageFailure } from '../page-failure.js';
import { streamPage } from '../stream-page.js';
import { csvFile, ndjsonFile } from './answer-files.js';
import { askPlaces, type PlaceAnswer } from './ask-places.js';
import { placePoints } from './place-points.js';
import { questionForm } from './question-form.js';
import { results } from './results.js';
import { GLOBAL_DNS_WORDS } from './words.js';

/** What the pages are made from. */
export interface GlobalDnsPageParts extends Pick<Parts, 'globalDns' | 'records' | 'reserved'> {
  readonly assets: Assets;
}

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
      const main = questionForm(parts.globalDns, language);
      return page(renderPage(parts.assets, { title, language, path: '/global-dns', main }));
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
    answer({ client, language, snapshot, query }) {
      const question = requireQuestion(query, parts, language);
      return () => {
        const source = sourceOf(client);
        if (running.of(source) >= OF_ONE_SOURCE) throw tooManyRuns(language);
        const answers = counted(askPlaces(run, { question, snapshot, language }), { running, source });
        if (query.format === 'csv') return Promise.resolve(csvFile(answers));
        if (query.format === 'ndjson') return Promise.resolve(ndjsonFile(answers));
        const shown = { question, resolver: query.resolver, snapshot, language };
        return Promise.resolve(answersPage(parts, answers, shown));
      };
    },
  });
}

/** Parses the question. Throws PageFailure(400), which names the parameters of the page. */
function requireQuestion(
  { name = '', type, resolver }: z.infer<typeof query>,
  { globalDns: { resolvers }, reserved }: GlobalDnsPageParts,
  language: Language,
): GlobalQuestion {
  const question = parseGlobalQuestion(
    { domain: name, type, provider: resolver, region: undefined },
    { resolvers, reserved },
  );
  if (question.error === undefined) return question;
  const { invalid } = GLOBAL_DNS_WORDS[language];
  if (name === '') throw new PageFailure(400, invalid.missingName);
  if (question.name === undefined) throw new PageFailure(400, invalid.name(name));
  throw new PageFailure(400, invalid.resolver(resolver ?? '', resolvers.length - 1));
}

/** What a page of answers shows. */
interface ShownRun {
  readonly question: GlobalQuestion;
  /** The resolver as its parameter. */
  readonly resolver: string | undefined;
  readonly snapshot: Snapshot;
  readonly language: Language;
}

function answersPage(
  { assets, globalDns }: GlobalDnsPageParts,
  answers: AsyncIterable<PlaceAnswer>,
  { question, resolver, snapshot, language }: ShownRun,
): Answer {
  const path = pathOf(question, resolver);
  const points = placePoints(snapshot, assets.centres);
  const downloads = downloadLinks(path, language);
  return streamPage(assets, {
    title: question.name!,
    language,
    path,
    first: questionForm(globalDns, language, { ...question, index: resolver }),
    later: results(answers, { assets, language, points, downloads }),
  });
}

function tooManyRuns(language: Language): Failure {
  const message = GLOBAL_DNS_WORDS[language].tooManyRuns(OF_ONE_SOURCE);
  return new PageFailure(429, message, {}, { headers: { 'Retry-After': '10' } });
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
  return html`${GLOBAL_DNS_WORDS[language].export}${link('csv')}${link('ndjson')}`;
}

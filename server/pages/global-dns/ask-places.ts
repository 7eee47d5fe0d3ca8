import { VANTAGE_POINTS, type VantagePoint } from '../../../pipeline/vantage-points/catalogue.js';
import type { Language } from '../../../pipeline/record/language.js';
import { deadlineIn } from '../../deadline.js';
import type { ConcurrencyLimit } from '../../concurrency-limit.js';
import { askGlobally } from '../../global-dns/ask-globally.js';
import { globalAnswer } from '../../global-dns/global-answer.js';
import type { GlobalAnswer } from '../../global-dns/global-answer-schema.js';
import type { GlobalQuestion } from '../../global-dns/global-question.js';
import type { Parts } from '../../parts.js';
import type { Snapshot } from '../../release/snapshot.js';
import { UpstreamError } from '../../upstream-error.js';

/** The answer of one place. */
export interface PlaceAnswer {
  readonly place: VantagePoint;
  readonly answer: Pick<GlobalAnswer, 'records' | 'rcode' | 'error' | 'time_ms'>;
}

/** What a run needs. */
export interface RunParts extends Pick<Parts, 'globalDns' | 'records'> {
  /** Limits the questions of all runs of the process. */
  readonly limit: ConcurrencyLimit;
}

/** What a run asks. */
export interface Run {
  /** Without a place. */
  readonly question: GlobalQuestion;
  readonly snapshot: Snapshot;
  readonly language: Language;
}

/** The time of a whole run. Places without a turn until then have an error. */
const RUN_MS = 30_000;

/** Asks for all places, and yields the answers as they arrive. Stops asking when the consumer stops. Never throws. */
export async function* askPlaces(parts: RunParts, run: Run): AsyncGenerator<PlaceAnswer> {
  const deadline = deadlineIn(RUN_MS);
  const pending = new Map<number, Promise<PlaceAnswer>>();
  const rest = VANTAGE_POINTS.values();
  const begin = (): void => {
    const { value: place, done } = rest.next();
    if (done === true) return;
    pending.set(place.code, answerOf(parts, run, { place, deadline }));
  };
  for (let i = 0; i < OF_ONE_RUN; i++) begin();
  while (pending.size > 0) {
    const answered = await Promise.race(pending.values());
    pending.delete(answered.place.code);
    yield answered;
    begin();
  }
}

/** Questions of one run at a time. */
const OF_ONE_RUN = 8;

async function answerOf(
  { globalDns, records, limit }: RunParts,
  { question, snapshot, language }: Run,
  { place, deadline }: { readonly place: VantagePoint; readonly deadline: number },
): Promise<PlaceAnswer> {
  const asked = { ...question, vantagePoint: place, vantagePointCode: place.code };
  try {
    const outcome = await limit.run(deadline, () => askGlobally(globalDns, asked));
    return { place, answer: globalAnswer(asked, outcome, { records, snapshot, language }) };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return { place, answer: { records: [], rcode: '', time_ms: 0, error: error.message } };
  }
}

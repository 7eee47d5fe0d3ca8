import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { absentIfMissing } from '../release/missing.js';
import { authorization, keptUrl, publicUrl, secretUrl, timesFor, toldUrl } from './download-address.js';
import { DownloadError } from './download-error.js';
import { standIn, type PlannedDownload } from './download-plan.js';
import { lockPath, UNCHANGED, type LastOutcome } from './download-state.js';
import { withHostLock } from './host-lock.js';
import type { JobParts, KnownDownload } from './known-download.js';
import { askingOf, linkedUrl, publishedSha256 } from './publisher-pages.js';
import { withRetries } from './retries.js';
import { queryParts, withoutSecrets } from './secrets.js';
import { takeAnswer } from './take-answer.js';
import { transfer, type Transfer } from './transfer.js';
import { knownWithoutAsking } from './when-to-ask.js';

/** The wait after a 429 without Retry-After: until the next night, which may start a little early. */
const THROTTLED_MS = 20 * 3_600_000;

/** One download under its host's lock: requests the file if needed and keeps the result. */
export class DownloadJob {
  readonly #parts: JobParts;
  readonly #known: KnownDownload;

  constructor(parts: JobParts, known: KnownDownload) {
    this.#parts = parts;
    this.#known = known;
  }

  async run(): Promise<LastOutcome> {
    const { planned, paths, context } = this.#parts;
    const { now } = context;
    const checked = now().toISOString();
    const waiting = knownWithoutAsking(planned, this.#known, now());
    if (waiting) return waiting;
    let last: LastOutcome;
    try {
      last = await this.#ask();
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      // The next night cannot resume a file that is too large.
      if (error.failure === 'large') await rm(paths.part, { force: true });
      last = this.#failed(error);
    }
    await this.#known.remember({ checked, last });
    return last;
  }

  /** Requests the file, and its fallback when that failed without any bytes. */
  async #ask(): Promise<LastOutcome> {
    const { planned, context } = this.#parts;
    const instead = standIn(planned);
    try {
      return await this.#askFor(planned);
    } catch (error) {
      // The next night resumes a partial file.
      if (!(error instanceof DownloadError) || !instead || (await this.#hasBegun(instead))) throw error;
      const ask = () => this.#askInstead(instead, error);
      if (instead.host === planned.host) return await ask();
      return await withHostLock(lockPath(context.dir, instead.host), ask);
    }
  }

  async #hasBegun(instead: PlannedDownload): Promise<boolean> {
    const { partial } = this.#known.state;
    if (!partial || partial.url === keptUrl(instead.download.url)) return false;
    const part = await absentIfMissing(stat(this.#parts.paths.part));
    return part !== undefined && part.size > 0;
  }

  async #askInstead(instead: PlannedDownload, missed: DownloadError): Promise<LastOutcome> {
    const { url } = instead.download;
    try {
      const last = await this.#askFor(instead);
      return { ...last, text: this.#withoutSecrets(`${last.text}: ${url}, instead of ${missed.found}`) };
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      const found = `${missed.found}; and ${url}: ${error.found}`;
      throw new DownloadError(missed.failure, found, { retryAfterMs: missed.retryAfterMs });
    }
  }

  async #askFor(planned: PlannedDownload): Promise<LastOutcome> {
    const { url, everyHours, link } = planned.download;
    const absent: string[] = [];
    for (const time of timesFor(planned.download, this.#parts.context.now())) {
      const published = publicUrl(url, time);
      const address = link ? await linkedUrl(this.#parts, published, link) : published;
      // Files of a time slot never change.
      if (everyHours !== undefined && this.#known.copy?.url === keptUrl(address)) return UNCHANGED;
      const sha256 = await publishedSha256(this.#parts, planned, time);
      if (sha256 !== undefined && sha256 === this.#known.copy?.sha256) return UNCHANGED;
      const answer = await this.#transfer(planned, address);
      if (answer.kind === 'unchanged') return UNCHANGED;
      if (answer.kind === 'received') {
        return takeAnswer(this.#parts, this.#known, { planned, received: answer, sha256 });
      }
      absent.push(toldUrl(address));
    }
    const [first = '', ...others] = absent;
    const more = others.length < 2 ? others : [`and the ${others.length} before it`];
    throw new DownloadError('http', `HTTP 404: not found: ${[first, ...more].join(', ')}`);
  }

  async #transfer(planned: PlannedDownload, address: string): Promise<Transfer> {
    const { context, secrets, paths, budget } = this.#parts;
    await mkdir(dirname(paths.part), { recursive: true });
    let before: number | undefined;
    const onBytes = (done: number, total: number | undefined): void => {
      // An attempt first reports the bytes of the partial file.
      budget.received(Math.max(0, done - (before ?? done)));
      before = done;
      context.onBytes(done, total);
    };
    return withRetries(context.limits, budget.signal, () => {
      before = undefined;
      return transfer({
        planned,
        url: secretUrl(address, secrets),
        keptUrl: keptUrl(address),
        part: paths.part,
        state: this.#known.state,
        holdsCopy: this.#known.copy !== undefined,
        asking: { ...askingOf(this.#parts), authorization: authorization(planned.download, secrets) },
        now: context.now,
        keepPartial: (partial) => this.#known.remember({ partial }),
        onBytes,
      });
    });
  }

  #failed({ failure, found, retryAfterMs }: DownloadError): LastOutcome {
    const { context } = this.#parts;
    let text = this.#withoutSecrets(found);
    const waitMs = retryAfterMs ?? (failure === 'throttled' ? THROTTLED_MS : undefined);
    if (waitMs !== undefined) {
      const notBefore = new Date(context.now().getTime() + waitMs).toISOString();
      this.#known.note({ notBefore });
      text += `; next request after ${notBefore}`;
    }
    return { outcome: 'failed', failure, text };
  }

  #withoutSecrets(text: string): string {
    const { planned, secrets } = this.#parts;
    return withoutSecrets(text, [...secrets, ...queryParts(planned.download.url)]);
  }
}

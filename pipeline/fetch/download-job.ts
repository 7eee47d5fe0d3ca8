import { mkdir, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fsyncPath } from '../release/durable.js';
import { acceptFile, parseSha256 } from './accept-file.js';
import { authorization, keptUrl, monthsFor, publicUrl, secretUrl, toldUrl } from './download-address.js';
import { DownloadError } from './download-error.js';
import type { PlannedDownload } from './download-plan.js';
import { writeState, type DownloadState, type KeptCopy, type LastOutcome } from './download-state.js';
import type { FetchLimits } from './fetch-limits.js';
import { httpGet, type Asking } from './http-get.js';
import type { Mirror } from './mirror.js';
import { receiveText } from './receive-body.js';
import { withRetries } from './retries.js';
import { queryParts, withoutSecrets, type ReadVariable, type Secrets } from './secrets.js';
import { statusError, transfer, type Remote } from './transfer.js';
import { unpackArchive } from './unpack-archive.js';

/** What all downloads of a night share. */
export interface DownloadContext {
  /** The downloads, as `<folder>/<publisher's file name>`. */
  readonly dir: string;
  /** When the night began: what was asked for since is not asked for again. */
  readonly since: Date;
  readonly limits: FetchLimits;
  readonly mirror: Mirror | undefined;
  /** Takes files that are smaller than is believed of them: a person has looked. */
  readonly acceptSmall: boolean;
  readonly readVariable: ReadVariable;
  readonly now: () => Date;
  readonly onBytes: (done: number, total: number | undefined) => void;
}

/** One download and what it is done with. */
export interface JobParts {
  readonly planned: PlannedDownload;
  readonly context: DownloadContext;
  readonly secrets: Secrets;
  readonly paths: { readonly state: string; readonly part: string };
  readonly signal: AbortSignal;
}

/** Without a word from the publisher: until the next night, which may begin somewhat sooner than a day later. */
const THROTTLED_MS = 20 * 3_600_000;

/** A file that no server dates is asked for once a night, not at every run. */
const UNDATED_MS = 20 * 3_600_000;

/** One download under its lock: what is known changes with every step, and is written down when it must last. */
export class DownloadJob {
  readonly #parts: JobParts;
  #state: DownloadState;
  #copy: KeptCopy | undefined;

  constructor(parts: JobParts, state: DownloadState, copy: KeptCopy | undefined) {
    this.#parts = parts;
    this.#state = state;
    this.#copy = copy;
  }

  get copy(): KeptCopy | undefined {
    return this.#copy;
  }

  async run(): Promise<LastOutcome> {
    const { paths, context } = this.#parts;
    const { now } = context;
    const checked = now().toISOString();
    const waiting = this.#waiting(now());
    if (waiting) return waiting;
    let last: LastOutcome;
    try {
      last = await this.#ask();
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      // The beginning of what is not taken is of no use to the next night.
      if (error.failure === 'large') await rm(paths.part, { force: true });
      last = this.#failed(error);
    }
    await this.#remember({ ...this.#state, checked, last });
    return last;
  }

  /** What is known without asking: the publisher wants to be left alone, or was asked not long ago. */
  #waiting(now: Date): LastOutcome | undefined {
    const { notBefore } = this.#state;
    if (notBefore !== undefined && new Date(notBefore) > now) {
      return { outcome: 'failed', failure: 'throttled', text: `not to be asked before ${notBefore}` };
    }
    const copy = this.#copy;
    const { sha256Url } = this.#parts.planned.download;
    if (!copy || copy.etag !== undefined || copy.lastModified !== undefined || sha256Url !== undefined) {
      return undefined;
    }
    if (now.getTime() - Date.parse(copy.fetched) >= UNDATED_MS) return undefined;
    return { outcome: 'unchanged', text: `not asked for again: downloaded ${copy.fetched}` };
  }

  async #ask(): Promise<LastOutcome> {
    const { planned, context } = this.#parts;
    const months = monthsFor(planned.download, context.now());
    let told = '';
    for (const month of months) {
      const sha256 = await this.#publishedSha256(month);
      if (sha256 !== undefined && sha256 === this.#copy?.sha256) return UNCHANGED;
      const address = publicUrl(planned.download.url, month);
      const answer = await this.#transfer(address);
      if (answer.kind === 'unchanged') return UNCHANGED;
      if (answer.kind === 'received') return this.#accept(answer.sizeBytes, answer.remote, sha256);
      told = `${told === '' ? '' : `${told}, nor `}${toldUrl(address)}`;
    }
    throw new DownloadError('http', `HTTP 404: there is no ${told}`);
  }

  /** Absent where the publisher states none, or not yet for this month. */
  async #publishedSha256(month: { year: number; month: number }): Promise<string | undefined> {
    const { planned, context, secrets, signal } = this.#parts;
    const template = planned.download.sha256Url;
    if (template === undefined) return undefined;
    const url = secretUrl(publicUrl(template, month), secrets);
    return withRetries(context.limits, signal, async () => {
      const auth = authorization(planned.download, secrets);
      const headers = auth === undefined ? {} : { Authorization: auth };
      const answer = await httpGet(url, { ...this.#asking(), headers });
      if (answer.status === 200) return parseSha256(await receiveText(answer, context.limits.idleTimeoutMs));
      answer.response.destroy();
      if (answer.status === 404) return undefined;
      throw statusError(answer, context.now());
    });
  }

  #asking(): Omit<Asking, 'headers'> {
    const { context, signal } = this.#parts;
    return { limits: context.limits, mirror: context.mirror, signal };
  }

  async #transfer(address: string) {
    const { planned, context, secrets, paths, signal } = this.#parts;
    await mkdir(dirname(paths.part), { recursive: true });
    return withRetries(context.limits, signal, () =>
      transfer({
        planned,
        url: secretUrl(address, secrets),
        keptUrl: keptUrl(address),
        part: paths.part,
        state: this.#state,
        holdsCopy: this.#copy !== undefined,
        asking: { ...this.#asking(), authorization: authorization(planned.download, secrets) },
        now: context.now,
        keepPartial: (partial) => this.#remember({ ...this.#state, partial }),
        onBytes: context.onBytes,
      }),
    );
  }

  /** Lets a whole file take the place of the last one; a bad one goes, so that the next night starts anew. */
  async #accept(sizeBytes: number, remote: Remote, stated: string | undefined): Promise<LastOutcome> {
    const { planned, context, paths } = this.#parts;
    const { archive, minBytes } = planned.download;
    const floor = context.acceptSmall ? 0 : minBytes;
    const container = archive ?? planned.files[0]!.container;
    const expected = { id: `${planned.folder}/${remote.name}`, container, minBytes: floor, sha256: stated };
    let sha256: string;
    try {
      sha256 = await acceptFile(paths.part, sizeBytes, expected);
      if (archive) await unpackArchive(paths.part, planned, join(context.dir, planned.folder));
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      await rm(paths.part, { force: true });
      throw error;
    }
    const before = this.#copy;
    await this.#moveIntoPlace(remote);
    this.#copy = { ...remote, sha256, sizeBytes, fetched: context.now().toISOString() };
    await this.#remember({ copy: this.#copy });
    if (before && before.name !== remote.name) {
      await rm(join(context.dir, planned.folder, before.name), { force: true });
    }
    if (before?.sha256 === sha256) return UNCHANGED;
    return { outcome: 'downloaded', text: `${sizeBytes.toLocaleString('en-US')} bytes` };
  }

  async #moveIntoPlace({ name, lastModified }: Remote): Promise<void> {
    const { planned, context, paths } = this.#parts;
    const now = context.now();
    // The file carries its publisher's date, as far as that is no date to come.
    const dated = lastModified === undefined ? now : new Date(lastModified);
    const target = join(context.dir, planned.folder, name);
    await mkdir(dirname(target), { recursive: true });
    await utimes(paths.part, now, dated < now ? dated : now);
    await fsyncPath(paths.part);
    await rename(paths.part, target);
    await fsyncPath(dirname(target));
  }

  #failed({ failure, found, retryAfterMs }: DownloadError): LastOutcome {
    const { planned, context, secrets } = this.#parts;
    let text = withoutSecrets(found, [...secrets, ...queryParts(planned.download.url)]);
    const waitMs = retryAfterMs ?? (failure === 'throttled' ? THROTTLED_MS : undefined);
    if (waitMs !== undefined) {
      const notBefore = new Date(context.now().getTime() + waitMs).toISOString();
      this.#state = { ...this.#state, notBefore };
      text += `; not to be asked before ${notBefore}`;
    }
    return { outcome: 'failed', failure, text };
  }

  async #remember(state: DownloadState): Promise<void> {
    this.#state = state;
    await writeState(this.#parts.paths.state, state);
  }
}

const UNCHANGED: LastOutcome = { outcome: 'unchanged', text: 'unchanged' };

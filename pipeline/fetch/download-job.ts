import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { absentIfMissing } from '../release/missing.js';
import { acceptFile, parseMd5, parseSha256 } from './accept-file.js';
import { authorization, keptUrl, publicUrl, secretUrl, timesFor, toldUrl } from './download-address.js';
import { DownloadError } from './download-error.js';
import { standIn, type PlannedDownload } from './download-plan.js';
import {
  lockPath,
  writeState,
  type DownloadState,
  type KeptCopy,
  type LastOutcome,
} from './download-state.js';
import type { FetchLimits } from './fetch-limits.js';
import { withHostLock } from './host-lock.js';
import type { Asking } from './http-get.js';
import { PAGE_BYTES, parseLink } from './linked-url.js';
import type { Mirror } from './mirror.js';
import { moveIntoPlace } from './move-into-place.js';
import { publishedText } from './published-text.js';
import { withRetries } from './retries.js';
import { queryParts, withoutSecrets, type ReadVariable, type Secrets } from './secrets.js';
import type { TimeBudget } from './time-budget.js';
import { transfer, type Received, type Transfer } from './transfer.js';
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
  readonly budget: TimeBudget;
}

/** Without a word from the publisher: until the next night, which may begin somewhat sooner than a day later. */
const THROTTLED_MS = 20 * 3_600_000;

/** A file that no server dates is asked for once a night, not at every run. */
const UNDATED_MS = 20 * 3_600_000;

const HOUR_MS = 3_600_000;

/** A text with a checksum is no longer. */
const CHECKSUM_BYTES = 4096;

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
    const { sha256Url, everyHours, pauseHours } = this.#parts.planned.download;
    if (pauseHours !== undefined && this.#wasAskedSince(now.getTime() - pauseHours * HOUR_MS)) {
      const text = `not asked for again within ${pauseHours} h`;
      const isHeld = copy !== undefined && this.#state.last?.outcome !== 'failed';
      return isHeld ? { outcome: 'unchanged', text } : { outcome: 'failed', failure: 'throttled', text };
    }
    if (!copy || copy.etag !== undefined || copy.lastModified !== undefined) return undefined;
    // A checksum or the name of a slot tells what is new.
    if (sha256Url !== undefined || everyHours !== undefined) return undefined;
    if (now.getTime() - Date.parse(copy.fetched) >= UNDATED_MS) return undefined;
    return { outcome: 'unchanged', text: `not asked for again: downloaded ${copy.fetched}` };
  }

  #wasAskedSince(ms: number): boolean {
    const { checked } = this.#state;
    return checked !== undefined && Date.parse(checked) > ms;
  }

  /** Asks for the file, and for what stands in for it where nothing of it could be had. */
  async #ask(): Promise<LastOutcome> {
    const { planned, context } = this.#parts;
    const instead = standIn(planned);
    try {
      return await this.#askFor(planned);
    } catch (error) {
      // What has begun to come is continued by the next night.
      if (!(error instanceof DownloadError) || !instead || (await this.#hasBegun(instead))) throw error;
      const ask = () => this.#askInstead(instead, error);
      if (instead.host === planned.host) return await ask();
      return await withHostLock(lockPath(context.dir, instead.host), ask);
    }
  }

  async #hasBegun(instead: PlannedDownload): Promise<boolean> {
    const { partial } = this.#state;
    if (!partial || partial.url === keptUrl(instead.download.url)) return false;
    const part = await absentIfMissing(stat(this.#parts.paths.part));
    return part !== undefined && part.size > 0;
  }

  async #askInstead(instead: PlannedDownload, missed: DownloadError): Promise<LastOutcome> {
    const { url } = instead.download;
    try {
      const last = await this.#askFor(instead);
      return { ...last, text: this.#withoutSecrets(`${last.text}: ${url}, for ${missed.found}`) };
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
      const address = link ? await this.#linked(published, link) : published;
      // What comes out at set times never changes.
      if (everyHours !== undefined && this.#copy?.url === keptUrl(address)) return UNCHANGED;
      const sha256 = await this.#publishedSha256(planned, time);
      if (sha256 !== undefined && sha256 === this.#copy?.sha256) return UNCHANGED;
      const answer = await this.#transfer(planned, address);
      if (answer.kind === 'unchanged') return UNCHANGED;
      if (answer.kind === 'received') return this.#accept(planned, answer, sha256);
      absent.push(toldUrl(address));
    }
    const [first = '', ...others] = absent;
    const more = others.length < 2 ? others : [`any of the ${others.length} before it`];
    throw new DownloadError('http', `HTTP 404: there is no ${[first, ...more].join(', nor ')}`);
  }

  /** Absent where the publisher states none, or not yet for this time. */
  async #publishedSha256({ download }: PlannedDownload, time: Date): Promise<string | undefined> {
    const { sha256Url } = download;
    return sha256Url === undefined ? undefined : this.#checksum(publicUrl(sha256Url, time), parseSha256);
  }

  #checksum(address: string, parse: (text: string) => string): Promise<string | undefined> {
    return this.#text(address, CHECKSUM_BYTES, parse);
  }

  /** The file's own URL, out of the page that links it. */
  async #linked(page: string, link: RegExp): Promise<string> {
    const address = await this.#text(page, PAGE_BYTES, (text) => parseLink(text, link));
    if (address !== undefined) return address;
    throw new DownloadError('http', `HTTP 404: there is no ${toldUrl(page)}`);
  }

  #text(address: string, maxBytes: number, parse: (text: string) => string): Promise<string | undefined> {
    const { planned, context, secrets } = this.#parts;
    const request = {
      url: secretUrl(address, secrets),
      asking: this.#asking(),
      authorization: authorization(planned.download, secrets),
      now: context.now,
      maxBytes,
    };
    return publishedText(request, parse);
  }

  #asking(): Omit<Asking, 'headers'> {
    const { context, budget } = this.#parts;
    return { limits: context.limits, mirror: context.mirror, signal: budget.signal };
  }

  async #transfer(planned: PlannedDownload, address: string): Promise<Transfer> {
    const { context, secrets, paths, budget } = this.#parts;
    await mkdir(dirname(paths.part), { recursive: true });
    let before: number | undefined;
    const onBytes = (done: number, total: number | undefined): void => {
      // An attempt tells first what was there already.
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
        state: this.#state,
        holdsCopy: this.#copy !== undefined,
        asking: { ...this.#asking(), authorization: authorization(planned.download, secrets) },
        now: context.now,
        keepPartial: (partial) => this.#remember({ ...this.#state, partial }),
        onBytes,
      });
    });
  }

  /** Lets a whole file take the place of the last one; a bad one goes, so that the next night starts anew. */
  async #accept(
    planned: PlannedDownload,
    { sizeBytes, remote }: Received,
    sha256: string | undefined,
  ): Promise<LastOutcome> {
    const { context, paths } = this.#parts;
    const dir = join(context.dir, planned.folder);
    let accepted: string;
    try {
      accepted = await this.#examine(planned, { sizeBytes, remote }, sha256);
      if (planned.download.archive) await unpackArchive(paths.part, planned, dir);
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      await rm(paths.part, { force: true });
      throw error;
    }
    const before = this.#copy;
    const now = context.now();
    await moveIntoPlace(paths.part, join(dir, remote.name), { lastModified: remote.lastModified, now });
    this.#copy = { ...remote, sha256: accepted, sizeBytes, fetched: now.toISOString() };
    await this.#remember({ copy: this.#copy });
    if (before && before.name !== remote.name) await rm(join(dir, before.name), { force: true });
    if (before?.sha256 === accepted) return UNCHANGED;
    return { outcome: 'downloaded', text: `${sizeBytes.toLocaleString('en-US')} bytes` };
  }

  async #examine(
    { folder, files, download }: PlannedDownload,
    { sizeBytes, remote }: Received,
    sha256: string | undefined,
  ): Promise<string> {
    const { context, paths } = this.#parts;
    const { md5Url, archive } = download;
    const expected = {
      id: `${folder}/${remote.name}`,
      container: archive ?? files[0]!.container,
      minBytes: context.acceptSmall ? 0 : download.minBytes,
      sha256,
      md5: md5Url === undefined ? undefined : await this.#checksum(md5Url, parseMd5),
    };
    return acceptFile(paths.part, sizeBytes, expected);
  }

  #failed({ failure, found, retryAfterMs }: DownloadError): LastOutcome {
    const { context } = this.#parts;
    let text = this.#withoutSecrets(found);
    const waitMs = retryAfterMs ?? (failure === 'throttled' ? THROTTLED_MS : undefined);
    if (waitMs !== undefined) {
      const notBefore = new Date(context.now().getTime() + waitMs).toISOString();
      this.#state = { ...this.#state, notBefore };
      text += `; not to be asked before ${notBefore}`;
    }
    return { outcome: 'failed', failure, text };
  }

  #withoutSecrets(text: string): string {
    const { planned, secrets } = this.#parts;
    return withoutSecrets(text, [...secrets, ...queryParts(planned.download.url)]);
  }

  async #remember(state: DownloadState): Promise<void> {
    this.#state = state;
    await writeState(this.#parts.paths.state, state);
  }
}

const UNCHANGED: LastOutcome = { outcome: 'unchanged', text: 'unchanged' };

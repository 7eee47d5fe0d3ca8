import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FollowReport, FollowSettings } from './follow-thread.js';

/** Options of FollowedStore. Callbacks must not throw. */
export interface FollowedStoreSettings extends FollowSettings {
  /** Called when a release of the store has become current in the output folder. */
  readonly onMoved: () => void;
  /** Prints a line. `warn`: the releases of the store are not followed now. */
  readonly log: (level: 'info' | 'warn', line: string) => void;
}

/**
 * Follows the current release of a store in a thread: a new release is brought to the output folder, from which it is
 * served as one that was built there. Faults of the store are one line each time they begin and end; meanwhile the last
 * release stays.
 */
export class FollowedStore {
  readonly #settings: FollowedStoreSettings;
  readonly #stopping = new AbortController();
  #thread: Worker | undefined;
  #lastSuccessMs = Date.now();
  /** The kind of the fault that was logged last; undefined while the store responds. */
  #fault: string | undefined;
  #isLeftAlone = false;

  constructor(settings: FollowedStoreSettings) {
    this.#settings = settings;
  }

  /** Starts the thread. It checks the store at once; the server does not wait for it. */
  start(): void {
    const { store, outputDir, keepReleases, storePollMs } = this.#settings;
    const workerData: FollowSettings = { store, outputDir, keepReleases, storePollMs };
    const thread = new Worker(new URL('./follow-thread.js', import.meta.url), { workerData });
    this.#thread = thread;
    thread.on('message', (report: FollowReport) => {
      this.#receive(report);
    });
    thread.on('error', (error) => {
      this.#failed(error.message, 'thread');
    });
    thread.once('exit', () => void this.#startAgain());
    thread.unref();
  }

  /** Checks the store now, unless a check is running. */
  look(): void {
    this.#thread?.postMessage('look');
  }

  /** Returns the seconds since the last successful check of the store, or since the start without one. */
  readonly ageSeconds = (): number => Math.floor((Date.now() - this.#lastSuccessMs) / 1000);

  /** Ends the thread at once. A download that it breaks off is continued after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#thread?.terminate();
  }

  #receive(report: FollowReport): void {
    if ('failed' in report) {
      this.#failed(report.failed, report.passing ? 'passing' : 'lasting');
      return;
    }
    const { log, store, onMoved, outputDir } = this.#settings;
    const { followed } = report;
    // Another process reports what it does.
    if (followed.state === 'busy') return;
    this.#lastSuccessMs = Date.now();
    if (this.#fault !== undefined) log('info', `the store ${store.url} is followed again`);
    this.#fault = undefined;
    if (followed.state === 'built here' && !this.#isLeftAlone)
      log('info', `releases are built in ${outputDir}, so the store ${store.url} is not followed`);
    this.#isLeftAlone = followed.state === 'built here';
    if (followed.state !== 'moved') return;
    const megabytes = (followed.downloadedBytes / 1e6).toFixed(1);
    const seconds = (report.tookMs / 1000).toFixed(1);
    log('info', `release ${followed.id} came from ${store.url}: ${megabytes} MB downloaded in ${seconds} s`);
    onMoved();
  }

  /** Logs a fault unless one of its kind was logged since the last success. */
  #failed(found: string, kind: string): void {
    if (this.#fault === kind) return;
    this.#fault = kind;
    this.#settings.log(
      'warn',
      `the store ${this.#settings.store.url} cannot be followed: ${found}; the last release stays`,
    );
  }

  async #startAgain(): Promise<void> {
    try {
      await sleep(this.#settings.storePollMs, undefined, { signal: this.#stopping.signal, ref: false });
      this.start();
    } catch (error) {
      if (!this.#stopping.signal.aborted) throw error;
    }
  }
}

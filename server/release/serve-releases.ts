import { currentId, releaseDir, ReleaseError } from '../../pipeline/release/release-store.js';
import { loadRelease } from './load-release.js';
import { ReleaseRefused, type Snapshot } from './snapshot.js';

/** Options of ServedReleases. Callbacks must not throw. */
export interface ReleaseSettings {
  readonly outputDir: string;
  /** Interval of checking `current`. */
  readonly releasePollMs: number;
  /** Called when a release becomes the current one. */
  readonly onServed?: (snapshot: Snapshot, loadMs: number) => void;
  /** Called once for each refused release. The previous one stays. */
  readonly onRefused?: (refusal: Refusal) => void;
  /** Called for errors other than a refusal. The next check tries again. */
  readonly onError?: (error: unknown) => void;
}

/** The release that `current` points to, when it was refused. */
export interface Refusal {
  /** Absent when the link does not point to a release. */
  readonly id?: string;
  /** File and reason. */
  readonly reason: string;
}

/**
 * Holds the reference to the current release. Checks the link `output/current` regularly, loads a new release beside
 * the old one, and swaps them in one assignment. A refused release changes nothing.
 */
export class ServedReleases {
  readonly #settings: ReleaseSettings;
  #snapshot: Snapshot | undefined;
  #refusal: Refusal | undefined;
  /** The last check. Checks run one after the other. */
  #looking: Promise<void> = Promise.resolve();
  #isLooking = false;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(settings: ReleaseSettings) {
    this.#settings = settings;
  }

  /** Checks now and then regularly until `stop`. Resolves after the first check, whatever its result. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => {
      if (!this.#isLooking) void this.#enqueue(false);
    }, this.#settings.releasePollMs);
    this.#timer.unref();
    await this.look();
  }

  /** Returns the current release; undefined before the first one. */
  readonly current = (): Snapshot | undefined => this.#snapshot;

  /** Returns why the release of `current` was refused; undefined when it is served, or when there is none. */
  readonly refusal = (): Refusal | undefined => this.#refusal;

  /** Checks now, and tries a refused release again. Resolves when the check is done. */
  look(): Promise<void> {
    return this.#enqueue(true);
  }

  /** Stops checking and waits for a running check. The current release stays readable. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#looking;
  }

  #enqueue(again: boolean): Promise<void> {
    this.#looking = this.#looking.then(() => this.#lookSafely(again));
    return this.#looking;
  }

  async #lookSafely(again: boolean): Promise<void> {
    if (this.#isStopped) return;
    this.#isLooking = true;
    try {
      await this.#lookOnce(again);
    } catch (error) {
      this.#settings.onError?.(error);
    } finally {
      this.#isLooking = false;
    }
  }

  async #lookOnce(again: boolean): Promise<void> {
    const { outputDir } = this.#settings;
    const id = await this.#linkedId();
    if (id === undefined) return;
    if (id === this.#snapshot?.id) {
      this.#refusal = undefined;
      return;
    }
    if (!again && id === this.#refusal?.id) return;
    try {
      const started = performance.now();
      const snapshot = await loadRelease(releaseDir(outputDir, id));
      if (!this.#mayServe()) return;
      this.#snapshot = snapshot;
      this.#refusal = undefined;
      this.#settings.onServed?.(snapshot, performance.now() - started);
    } catch (error) {
      if (!(error instanceof ReleaseRefused)) throw error;
      this.#refuse({ id, reason: error.message });
    }
  }

  /** Returns whether `stop` was not called during the load. */
  #mayServe(): boolean {
    return !this.#isStopped;
  }

  /** Returns the id that `current` points to; undefined without a valid link. An invalid link is a refusal. */
  async #linkedId(): Promise<string | undefined> {
    try {
      const id = await currentId(this.#settings.outputDir);
      if (id === undefined) this.#refusal = undefined;
      return id;
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error;
      const reason = `current: ${error.found}`;
      if (this.#refusal?.id !== undefined || this.#refusal?.reason !== reason) this.#refuse({ reason });
      return undefined;
    }
  }

  #refuse(refusal: Refusal): void {
    this.#refusal = Object.freeze(refusal);
    this.#settings.onRefused?.(refusal);
  }
}

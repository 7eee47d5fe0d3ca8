import { currentId, releaseDir, ReleaseError } from '../../pipeline/release/release-store.js';
import { loadRelease } from './load-release.js';
import { ReleaseRefused } from './release-refused.js';
import type { Snapshot } from './snapshot.js';

/** Which releases to serve, and who is told. Callbacks must not throw. */
export interface ReleaseSettings {
  readonly outputDir: string;
  /** How often `current` is looked at. */
  readonly releasePollMs: number;
  /** A release is served from now on; it took so long to load. */
  readonly onServed?: (snapshot: Snapshot, loadMs: number) => void;
  /** A release is not served; the one before it goes on. Called once for each refusal. */
  readonly onRefused?: (refusal: Refusal) => void;
  /** Something went wrong that says nothing of the release; it is tried again at the next look. */
  readonly onError?: (error: unknown) => void;
}

/** The release that `current` points to and that is not served. */
export interface Refusal {
  /** Absent when the link itself is no link to a release. */
  readonly id?: string;
  /** File and reason. */
  readonly reason: string;
}

/**
 * Holds the one reference to the release that is served. A new one is noticed by looking at `output/current`, loaded
 * beside the old one and put in its place in one assignment; one that is refused changes nothing.
 */
export class ServedReleases {
  readonly #settings: ReleaseSettings;
  #snapshot: Snapshot | undefined;
  #refusal: Refusal | undefined;
  /** The last look; looks come one after the other. */
  #looking: Promise<void> = Promise.resolve();
  #isLooking = false;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(settings: ReleaseSettings) {
    this.#settings = settings;
  }

  /** Looks at once, then again and again until `stop`. Settles when the first look is over, whatever it found. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => {
      if (!this.#isLooking) void this.#enqueue(false);
    }, this.#settings.releasePollMs);
    this.#timer.unref();
    await this.look();
  }

  /** The release that is served; absent before the first one. */
  readonly current = (): Snapshot | undefined => this.#snapshot;

  /** Why `current` is not what is served; absent when it is, or when there is nothing to serve. */
  readonly refusal = (): Refusal | undefined => this.#refusal;

  /** Looks now, and tries a refused release once more. Settles when it is served or refused. */
  look(): Promise<void> {
    return this.#enqueue(true);
  }

  /** No release is loaded or changed any more once this has settled; the last one stays readable. */
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

  /** Asked after a wait, in which `stop` may have been called. */
  #mayServe(): boolean {
    return !this.#isStopped;
  }

  /** The id `current` points to; absent when it points to none, which is a refusal where something is there. */
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

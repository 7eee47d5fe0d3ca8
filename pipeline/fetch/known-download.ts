import { writeState, type DownloadState, type KeptCopy } from './download-state.js';
import type { PlannedDownload } from './download-plan.js';
import type { FetchLimits } from './fetch-limits.js';
import type { Mirror } from './mirror.js';
import type { ReadVariable, Secrets } from './secrets.js';
import type { TimeBudget } from './time-budget.js';

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

/** What is known of a download under its lock: it changes with every step, and is written down when it must last. */
export class KnownDownload {
  readonly #path: string;
  #state: DownloadState;
  #copy: KeptCopy | undefined;

  /** `path` is that of the state's file. */
  constructor(path: string, state: DownloadState, copy: KeptCopy | undefined) {
    this.#path = path;
    this.#state = state;
    this.#copy = copy;
  }

  get state(): DownloadState {
    return this.#state;
  }

  /** The copy that is held, if it lies there. */
  get copy(): KeptCopy | undefined {
    return this.#copy;
  }

  /** Adds to the state without writing it down yet. */
  note(news: Partial<DownloadState>): void {
    this.#state = { ...this.#state, ...news };
  }

  /** Adds to the state and writes it down. */
  async remember(news: Partial<DownloadState>): Promise<void> {
    this.note(news);
    await writeState(this.#path, this.#state);
  }

  /** Holds another copy: nothing that was known of the last one is true of it. */
  async hold(copy: KeptCopy): Promise<void> {
    this.#copy = copy;
    this.#state = { copy };
    await writeState(this.#path, this.#state);
  }
}

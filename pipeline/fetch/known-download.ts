import { writeState, type DownloadState, type KeptCopy } from './download-state.js';
import type { PlannedDownload } from './download-plan.js';
import type { FetchLimits } from './fetch-limits.js';
import type { Mirror } from './mirror.js';
import type { ReadVariable, Secrets } from './secrets.js';
import type { TimeBudget } from './time-budget.js';

/** The settings that all downloads of a night share. */
export interface DownloadContext {
  /** Folder of the downloads: `<folder>/<publisher's file name>`. */
  readonly dir: string;
  /** Start of the night. Files requested since then are not requested again. */
  readonly since: Date;
  readonly limits: FetchLimits;
  readonly mirror: Mirror | undefined;
  /** As `Asking`. By default publishers may have any address. */
  readonly publicOnly?: boolean;
  /** Accepts files below the minimum size, because a person has checked them. */
  readonly acceptSmall: boolean;
  readonly readVariable: ReadVariable;
  readonly now: () => Date;
  readonly onBytes: (done: number, total: number | undefined) => void;
}

/** One download and its environment. */
export interface JobParts {
  readonly planned: PlannedDownload;
  readonly context: DownloadContext;
  readonly secrets: Secrets;
  readonly paths: { readonly state: string; readonly part: string };
  readonly budget: TimeBudget;
}

/** The state of a download under its lock. It changes with every step and is written when it must be durable. */
export class KnownDownload {
  readonly #path: string;
  #state: DownloadState;
  #copy: KeptCopy | undefined;

  /** `path` is the path of the state file. */
  constructor(path: string, state: DownloadState, copy: KeptCopy | undefined) {
    this.#path = path;
    this.#state = state;
    this.#copy = copy;
  }

  get state(): DownloadState {
    return this.#state;
  }

  /** The kept copy, if its file exists. */
  get copy(): KeptCopy | undefined {
    return this.#copy;
  }

  /** Adds to the state without writing it. */
  note(news: Partial<DownloadState>): void {
    this.#state = { ...this.#state, ...news };
  }

  /** Adds to the state and writes it. */
  async remember(news: Partial<DownloadState>): Promise<void> {
    this.note(news);
    await writeState(this.#path, this.#state);
  }

  /** Replaces the copy and drops all other state. */
  async hold(copy: KeptCopy): Promise<void> {
    this.#copy = copy;
    this.#state = { copy };
    await writeState(this.#path, this.#state);
  }
}

import type { OpenFile } from '../input/published-source.js';
import { EXAMPLES_KEPT_BY_HAND, Tally } from '../input/tally.js';
import { writeNormalised, plainTallies, type FileTallies, type NormalisedInput } from './normalised-input.js';
import type { Reader } from './reader.js';
import type { KeptFolder } from '../store/kept-folder.js';

/** Progress of reading the files of one source. */
export interface NormaliseProgress {
  readonly bytesDone: number;
  readonly rows: number;
  readonly rejected: number;
}

/** The files to read and the folder for the result. */
export interface Normalisation {
  readonly reader: Reader;
  readonly open: (onRead: (bytes: number) => void) => readonly OpenFile[];
  readonly folder: KeptFolder;
  /** Ids of shared files. Their rows are not reported as progress. */
  readonly shared?: ReadonlySet<string>;
  /** Called after the last row. If it throws, nothing is written. */
  readonly judge: (tallies: FileTallies) => void;
  readonly onProgress: (progress: NormaliseProgress) => void;
  readonly log: (line: string) => void;
  /** Start of the build. Only with FEEDS=live. */
  readonly now?: Date;
}

/**
 * Reads the files of a source and writes their normalised content to a folder, complete or not at all. Throws FeedError or
 * RefusedFiles for unusable files, and the errors of `judge`.
 */
export function normalise(normalisation: Normalisation): Promise<NormalisedInput> {
  const { reader, folder, judge, log, now, shared = new Set() } = normalisation;
  const counts = new RowCounts(normalisation.onProgress, shared);
  const files = normalisation
    .open((bytes) => {
      counts.bytes(bytes);
    })
    .map((file) => counts.noting(file));
  return writeNormalised(folder, async (beside) => {
    let judged: FileTallies | undefined;
    const judgeOnce = (): FileTallies => {
      if (judged) return judged;
      counts.report();
      judged = counts.talliesOf(files);
      judge(judged);
      return judged;
    };
    const written = await reader.normalise(files, {
      dir: beside,
      tallyOf: (file) => counts.tallyOf(file),
      log,
      judge: judgeOnce,
      ...(now && { now }),
    });
    return { ...written, tallies: judgeOnce() };
  });
}

/** Counts bytes and rows of all files of a source. */
class RowCounts {
  #bytesDone = 0;
  readonly #tallies = new Map<string, Tally>();
  /** Ids of files of which at least one byte was read. */
  readonly #begun = new Set<string>();
  readonly #onProgress: (progress: NormaliseProgress) => void;

  readonly #shared: ReadonlySet<string>;

  constructor(onProgress: (progress: NormaliseProgress) => void, shared: ReadonlySet<string>) {
    this.#onProgress = onProgress;
    this.#shared = shared;
  }

  bytes(bytes: number): void {
    this.#bytesDone += bytes;
    this.report();
  }

  /** Returns the file, extended to record that it was read. */
  noting(file: OpenFile): OpenFile {
    const onRead = (bytes: number): void => {
      this.#begun.add(file.id);
      file.onRead(bytes);
    };
    return { ...file, onRead };
  }

  tallyOf({ id, handWritten }: OpenFile): Tally {
    const held = this.#tallies.get(id) ?? new Tally(handWritten && EXAMPLES_KEPT_BY_HAND);
    this.#tallies.set(id, held);
    return held;
  }

  /** Returns the tallies of all files, including files without rows. */
  talliesOf(files: readonly OpenFile[]): FileTallies {
    for (const file of files) this.tallyOf(file);
    const unread = files.filter(({ id, sizeBytes }) => sizeBytes > 0 && !this.#begun.has(id));
    return plainTallies(this.#tallies, new Set(unread.map(({ id }) => id)));
  }

  report(): void {
    let rows = 0;
    let rejected = 0;
    for (const [id, tally] of this.#tallies) {
      if (this.#shared.has(id)) continue;
      rows += tally.rows;
      rejected += tally.rejected;
    }
    this.#onProgress({ bytesDone: this.#bytesDone, rows, rejected });
  }
}

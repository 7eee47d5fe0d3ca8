import type { OpenFile } from '../feeds/feed.js';
import { Tally } from '../feeds/tally.js';
import { keepReading, plainTallies, type FileTallies, type KeptReading } from './kept-reading.js';
import type { Reader } from './reader.js';

/** How far a reading is. */
export interface ReadingProgress {
  readonly bytesDone: number;
  readonly rows: number;
  readonly rejected: number;
}

/** What to read: its files, and the folder that what they say goes to. */
export interface Normalisation {
  readonly reader: Reader;
  readonly open: (onRead: (bytes: number) => void) => readonly OpenFile[];
  readonly dir: string;
  /** Ids of files that are read along and belong to others: their rows are not told as progress. */
  readonly shared?: ReadonlySet<string>;
  /** Called when all rows are read; what it throws leaves nothing behind. */
  readonly judge: (tallies: FileTallies) => void;
  readonly onProgress: (progress: ReadingProgress) => void;
  readonly log: (line: string) => void;
  /** When the build began, for live downloads only. */
  readonly now?: Date;
}

/**
 * Reads the files of a feed or source and puts what they say into `dir`, whole or not at all. Throws FeedError or
 * RefusedFiles for files that cannot be used, and what `judge` throws.
 */
export function normalise(normalisation: Normalisation): Promise<KeptReading> {
  const { reader, dir, judge, log, now, shared = new Set() } = normalisation;
  const counts = new ReadingCounts(normalisation.onProgress, shared);
  const files = normalisation
    .open((bytes) => {
      counts.bytes(bytes);
    })
    .map((file) => counts.noting(file));
  return keepReading(dir, async (beside) => {
    let judged: FileTallies | undefined;
    const judgeOnce = (): FileTallies => {
      if (judged) return judged;
      counts.tell();
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

/** What a reading has come to so far. */
class ReadingCounts {
  #bytesDone = 0;
  readonly #tallies = new Map<string, Tally>();
  /** Ids of files that were looked at. */
  readonly #begun = new Set<string>();
  readonly #onProgress: (progress: ReadingProgress) => void;

  readonly #shared: ReadonlySet<string>;

  constructor(onProgress: (progress: ReadingProgress) => void, shared: ReadonlySet<string>) {
    this.#onProgress = onProgress;
    this.#shared = shared;
  }

  bytes(bytes: number): void {
    this.#bytesDone += bytes;
    this.tell();
  }

  /** The file, noted when something of it is read. */
  noting(file: OpenFile): OpenFile {
    const onRead = (bytes: number): void => {
      this.#begun.add(file.id);
      file.onRead(bytes);
    };
    return { ...file, onRead };
  }

  tallyOf({ id }: OpenFile): Tally {
    const held = this.#tallies.get(id) ?? new Tally();
    this.#tallies.set(id, held);
    return held;
  }

  /** What became of the rows of every file, also of those nobody has counted. */
  talliesOf(files: readonly OpenFile[]): FileTallies {
    for (const file of files) this.tallyOf(file);
    const unread = files.filter(({ id, sizeBytes }) => sizeBytes > 0 && !this.#begun.has(id));
    return plainTallies(this.#tallies, new Set(unread.map(({ id }) => id)));
  }

  tell(): void {
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

import { readdir } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { releaseAt, type KeptRelease, type Moment } from '../../pipeline/release/release-at.js';
import { releaseDir, releasesDir } from '../../pipeline/release/release-store.js';
import { Failure } from '../failure.js';
import type { HistoryAnswer, HistoryQuestion } from './history-thread.js';
import type { KeptRecords } from './kept-release.js';

/** Questions that may wait for the thread. */
const MAX_WAITING = 256;

interface Waiting {
  readonly resolve: (records: KeptRecords) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Looks addresses up in kept releases. A thread reads the files where a lookup needs them: their size costs no memory,
 * and no request waits for the disk. The thread starts with the first question.
 */
export class ReleaseHistory {
  readonly #outputDir: string;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #asked = 0;

  constructor(outputDir: string) {
    this.#outputDir = outputDir;
  }

  /** Returns the release that was current at a moment. Throws Failure(404) when it is not kept any more. */
  async releaseAt(moment: Moment, currentId: string): Promise<KeptRelease> {
    const names = await readdir(releasesDir(this.#outputDir));
    const { found, oldest } = releaseAt(names, currentId, moment);
    if (found) return found;
    const since = oldest && new Date(oldest.builtMs).toISOString().replace('.000Z', 'Z');
    throw new Failure(
      404,
      since === undefined ? 'no release is kept' : `no release is kept from before ${since}`,
      since === undefined ? {} : { oldest: since },
    );
  }

  /**
   * Returns the records of an address in a release. Throws Failure(503) when too many questions wait, and an error when
   * the release cannot be read.
   */
  async recordsOf(ip: string, id: string): Promise<KeptRecords> {
    if (this.#waiting.size >= MAX_WAITING) throw new Failure(503, 'too many lookups in kept releases');
    const number = ++this.#asked;
    const question: HistoryQuestion = { number, dir: releaseDir(this.#outputDir, id), ip };
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      (this.#thread ??= this.#start()).postMessage(question);
    });
  }

  /** Ends the thread. Waiting questions fail. */
  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(new URL('./history-thread.js', import.meta.url));
    thread.unref();
    thread.on('message', (answer: HistoryAnswer) => {
      const waiting = this.#waiting.get(answer.number);
      this.#waiting.delete(answer.number);
      if ('records' in answer) waiting?.resolve(answer.records);
      else waiting?.reject(new Error(`a kept release cannot be read: ${answer.failed}`));
    });
    thread.on('error', (error) => {
      this.#end(error);
    });
    thread.once('exit', () => {
      this.#end(new Error('the thread of kept releases has ended'));
    });
    return thread;
  }

  /** Rejects what waits. The next question starts another thread. */
  #end(error: Error): void {
    this.#thread = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

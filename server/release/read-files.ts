import { Worker } from 'node:worker_threads';
import { ReleaseRefused } from './snapshot.js';

/** A file of a release to check, and to load if `keep` is true. */
export interface WantedFile {
  /** Path in the release's folder. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly keep: boolean;
}

/** A verified file. */
export interface ReadFile {
  /** Absent unless `keep` was true. */
  readonly bytes?: Buffer;
  /** Modification time, seconds since 1970, rounded down. */
  readonly modified: number;
}

/** The input of the thread. */
export interface ReadTask {
  readonly dir: string;
  readonly files: readonly WantedFile[];
}

/** The thread's result for each file, in order. It stops at the first refusal. */
export type ReadAnswer =
  | { readonly name: string; readonly modified: number; readonly bytes?: Uint8Array<ArrayBuffer> }
  | { readonly name: string; readonly refusal: string };

/**
 * Reads the files of a release in a worker thread and checks size and sha256. Hashing hundreds of megabytes delays no
 * request there. Bytes are transferred, not copied. Throws ReleaseRefused for the first missing or different file, and
 * the system error when a file cannot be read.
 */
export async function readFiles(task: ReadTask): Promise<ReadonlyMap<string, ReadFile>> {
  const thread = new Worker(new URL('./read-files-thread.js', import.meta.url), { workerData: task });
  const files = new Map<string, ReadFile>();
  return new Promise((resolve, reject) => {
    thread.on('message', (answer: ReadAnswer) => {
      if ('refusal' in answer) reject(new ReleaseRefused(answer.name, answer.refusal));
      else files.set(answer.name, readFileOf(answer));
    });
    thread.on('error', reject);
    thread.on('exit', (code) => {
      if (files.size === task.files.length) resolve(files);
      else reject(new Error(`the thread reading ${task.dir} ended with exit code ${code}`));
    });
  });
}

function readFileOf({ modified, bytes }: Exclude<ReadAnswer, { refusal: string }>): ReadFile {
  if (!bytes) return { modified };
  return { modified, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

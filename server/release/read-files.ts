import { Worker } from 'node:worker_threads';
import { ReleaseRefused } from './release-refused.js';

/** A file of a release, and whether its bytes are needed or only the proof that they are there. */
export interface WantedFile {
  /** Path in the folder. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly keep: boolean;
}

/** A file that is what it has to be. */
export interface ReadFile {
  /** Absent when they were not to be kept. */
  readonly bytes?: Buffer;
  /** When it was last written, seconds since 1970, rounded down. */
  readonly modified: number;
}

/** What the thread is started with. */
export interface ReadTask {
  readonly dir: string;
  readonly files: readonly WantedFile[];
}

/** What it answers for each file, in their order; nothing more after a refusal. */
export type ReadAnswer =
  | { readonly name: string; readonly modified: number; readonly bytes?: Uint8Array<ArrayBuffer> }
  | { readonly name: string; readonly refusal: string };

/**
 * Reads the files of a release in a thread of its own, size and sha256 checked: hashing hundreds of megabytes holds up
 * no request. The bytes are handed over, not copied. Throws ReleaseRefused for the first file that is missing or
 * another one, and the system's error when a file cannot be read.
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
      else reject(new Error(`the thread that reads ${task.dir} ended with ${code}`));
    });
  });
}

function readFileOf({ modified, bytes }: Exclude<ReadAnswer, { refusal: string }>): ReadFile {
  if (!bytes) return { modified };
  return { modified, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

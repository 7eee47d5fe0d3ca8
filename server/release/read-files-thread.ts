import assert from 'node:assert';
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReadAnswer, ReadTask, WantedFile } from './read-files.js';

/** Bytes read and hashed at a time. */
const PIECE_BYTES = 4 << 20;

/** The worker thread of `readFiles`. Reads one file after the other and transfers its bytes. */
const port = parentPort;
assert(port, 'this module runs as a worker thread');
const { dir, files } = workerData as ReadTask;
for (const file of files) {
  const answer = readWanted(dir, file);
  const bytes = 'bytes' in answer ? answer.bytes : undefined;
  port.postMessage(answer, bytes ? [bytes.buffer] : []);
  if ('refusal' in answer) break;
}

function readWanted(dir: string, { name, sizeBytes, sha256, keep }: WantedFile): ReadAnswer {
  const file = openFile(join(dir, name));
  if (file === undefined) return { name, refusal: 'does not exist' };
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return { name, refusal: 'is not a regular file' };
    if (stat.size !== sizeBytes) {
      return { name, refusal: `has ${stat.size} bytes, expected ${sizeBytes}` };
    }
    const bytes = keep ? new Uint8Array(sizeBytes) : undefined;
    const found = digest(file, sizeBytes, bytes);
    if (found !== sha256) return { name, refusal: `has sha256 ${found}, expected ${sha256}` };
    const modified = Math.floor(stat.mtimeMs / 1000);
    return { name, modified, ...(bytes && { bytes }) };
  } finally {
    closeSync(file);
  }
}

/** Returns the sha256 of the first `sizeBytes` bytes. Stores them in `into` if given. */
function digest(file: number, sizeBytes: number, into: Uint8Array | undefined): string {
  const hash = createHash('sha256');
  const piece = into ?? new Uint8Array(Math.min(PIECE_BYTES, sizeBytes));
  for (let at = 0; at < sizeBytes;) {
    const offset = into ? at : 0;
    const wanted = Math.min(PIECE_BYTES, sizeBytes - at);
    const length = readSync(file, piece, offset, wanted, at);
    if (length === 0) break;
    hash.update(piece.subarray(offset, offset + length));
    at += length;
  }
  return hash.digest('hex');
}

/** Opens a file for reading. Returns undefined when it does not exist. */
function openFile(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

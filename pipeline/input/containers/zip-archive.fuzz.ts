import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipFile } from '../../../fixtures/generate/zip-file.js';
import { openFileAt } from '../../../fixtures/open-file.js';
import { inserting } from '../../fuzz/mutate.js';
import { unlessDeclared, type FuzzTarget, type TargetLifetime } from '../../fuzz/target.js';
import { FeedError } from '../feed-error.js';
import type { Container } from '../published-source.js';
import { readUnpacked } from './unpacked-file.js';
import { withZip } from './zip-archive.js';

const ROWS = Buffer.from('1.0.0.0/24,AU,Brisbane\n'.repeat(200));
const SIGNATURES = ['PK\u0001\u0002', 'PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0006\u0006', 'PK\u0006\u0007'];

/** Unpacks damaged zip and gzip files. A file unpacks to at most its maximum. */
export function openTarget(t: TargetLifetime): FuzzTarget {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-fuzz-zip-'));
  t.teardown(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const path = join(dir, 'file');
  const names = ['a/rows.csv', 'a/LICENSE.txt', 'b.csv'];
  const zip = zipFile(names.map((name) => ({ name, bytes: ROWS })));
  return {
    seeds: [
      { name: 'zip', bytes: zip },
      { name: 'zip', bytes: zipFile([]) },
      { name: 'gz', bytes: Buffer.concat([gzipSync(ROWS), gzipSync(ROWS)]) },
    ],
    mutators: [inserting([...SIGNATURES, Buffer.from([0x1f, 0x8b, 8, 0x1f]), Buffer.alloc(8, 0xff)])],
    run: async ({ name, bytes }) => {
      writeFileSync(path, bytes);
      try {
        await readAll(path, name as Container);
      } catch (error) {
        unlessDeclared(error, [FeedError]);
      }
    },
  };
}

async function readAll(path: string, container: Container): Promise<void> {
  const file = { ...openFileAt(path, container), maxUnpackedBytes: 1_000_000 };
  if (container !== 'zip') {
    await drain(readUnpacked(file), file.maxUnpackedBytes);
    return;
  }
  await withZip(file, async (zip) => {
    for (const name of zip.names) {
      zip.modifiedAt(name);
      await drain(zip.read(name), file.maxUnpackedBytes);
    }
  });
}

async function drain(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<void> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  if (bytes > maxBytes) throw new Error(`${bytes} bytes unpacked, expected at most ${maxBytes}`);
}

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { barOnly, joined, type Family, type Findings } from './finding.bench.js';

/** Peak memory of a process that reads such a list. */
const MOST_MB = 500;
const LONGEST_MS = 40_000;

/** Finding 3: lists of a hostile publisher. Each is read by a process of its own. */
export const nestedList: Family = async ({ isQuick }) => {
  const bytes = isQuick ? 20_000_000 : 100_000_000;
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-attack-'));
  const texts: Readonly<Record<string, string | Buffer>> = {
    [`3: ${bytes / 1e6} MB of [`]: '['.repeat(bytes),
    [`3: ${bytes / 1e6} MB of {"a":`]: '{"a":'.repeat(bytes / 5),
    [`3: ${bytes / 2e6} MB of rows {}`]: `{"prefixes":[${'{},'.repeat(bytes / 6)}{}],"ipv6_prefixes":[{}]}`,
    [`3: ${bytes / 1e5} MB of spaces in gzip`]: gzipSync(Buffer.alloc(bytes * 10, ' ')),
  };
  const found: Findings[] = [];
  try {
    for (const [what, text] of Object.entries(texts)) {
      const path = join(dir, typeof text === 'string' ? 'ip-ranges.json' : 'ip-ranges.json.gz');
      writeFileSync(path, text);
      const { rssMb, result } = await read(path);
      found.push(
        barOnly(what, `a named rejection, under ${MOST_MB} MB and ${LONGEST_MS / 1000} s`, {
          measured: `${result}, peak ${rssMb.toFixed(0)} MB`,
          isMet: rssMb < MOST_MB && /^[a-z-]+: /.test(result),
        }),
      );
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  return joined(found);
};

interface Read {
  readonly rssMb: number;
  readonly result: string;
}

/** Reads a file as Amazon's list. */
function read(path: string): Promise<Read> {
  const reader = fileURLToPath(new URL('./nested-list-reader.bench.js', import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [reader, path], { timeout: LONGEST_MS }, (error, stdout) => {
      const last = stdout.trim().split('\n').at(-1) ?? '';
      if (error === null) resolve(JSON.parse(last) as Read);
      else resolve({ rssMb: NaN, result: `ended with ${error.signal ?? String(error.code)}` });
    });
  });
}

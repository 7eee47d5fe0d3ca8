import { createReadStream, openSync, closeSync, writeSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readGz } from '../input/containers/containers.js';
import type { OpenFile } from '../input/published-source.js';
import type { GeofeedReference } from '../input/registrations/geofeed-blocks.js';
import { DUMP_BYTES, HEADER, REFERENCE_FOLDER } from '../input/registrations/read-references.js';
import { readRegistryDump } from '../input/registrations/registry-dump.js';
import { fsyncPath } from '../release/durable.js';
import { absentIfMissing } from '../release/missing.js';
import { DUMP_FOLDER, REGISTRY_DUMPS } from './registry-dumps.js';

/** The extracted references, below the downloads: the dumps themselves are too large to keep with every release. */
export const EXTRACTED = `${REFERENCE_FOLDER}/registries.csv`;

/**
 * Writes the references of the downloaded dumps to EXTRACTED, as the registrations have them. Does nothing without a
 * dump, or when the file was made from the same dumps. Throws FeedError for a dump that cannot be read.
 */
export async function extractReferences(dir: string): Promise<void> {
  const dumps = await heldDumps(dir);
  if (dumps.length === 0) return;
  const heading = dumps.map(({ name, about }) => `# ${name}, ${about}\n`).join('');
  const target = join(dir, EXTRACTED);
  if ((await startOf(target, heading.length)) === heading) return;
  await mkdir(join(dir, REFERENCE_FOLDER), { recursive: true });
  const beside = join(dir, REFERENCE_FOLDER, `.registries.tmp-${process.pid}`);
  try {
    const rows = new RowWriter(beside);
    rows.write(`${heading}${HEADER.join(',')}\n`);
    try {
      for (const dump of dumps) {
        await readRegistryDump(dump, readGz(dump), {
          reference: (found) => {
            rows.write(rowOf(found));
          },
        });
      }
    } finally {
      rows.close();
    }
    await fsyncPath(beside);
    await rename(beside, target);
    await fsyncPath(join(dir, REFERENCE_FOLDER));
  } finally {
    await rm(beside, { force: true });
  }
}

/** A dump with its size and date, which change with every edition. */
type HeldDump = OpenFile & { readonly about: string };

async function heldDumps(dir: string): Promise<HeldDump[]> {
  const held: HeldDump[] = [];
  for (const { name } of REGISTRY_DUMPS) {
    const path = join(dir, DUMP_FOLDER, name);
    const found = await absentIfMissing(stat(path));
    if (!found?.isFile()) continue;
    const id = `${DUMP_FOLDER}/${name}`;
    const file = { id, folder: DUMP_FOLDER, name, container: 'gz', path, sizeBytes: found.size } as const;
    const about = `${found.size} bytes, ${found.mtime.toISOString()}`;
    held.push({ ...file, maxUnpackedBytes: DUMP_BYTES, onRead: () => undefined, about });
  }
  return held;
}

async function startOf(path: string, bytes: number): Promise<string | undefined> {
  const file = await absentIfMissing(open(path));
  if (!file) return undefined;
  const chunks = createReadStream('', { fd: file.fd, autoClose: false, end: bytes - 1 });
  try {
    let text = '';
    for await (const chunk of chunks) text += (chunk as Buffer).toString('utf8');
    return text;
  } finally {
    await file.close();
  }
}

/** Returns a row. What a registration may not contain is cut to lengths that readers still reject. */
function rowOf({ network, url, modified }: GeofeedReference): string {
  const date = modified === undefined ? '' : new Date(modified * 1000).toISOString();
  return `${[network.slice(0, 200), url.slice(0, 3000), date].map(quoted).join(',')}\n`;
}

function quoted(text: string): string {
  return /[",\r\n#]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes text to a file in large pieces. */
class RowWriter {
  readonly #fd: number;
  #pending: string[] = [];

  constructor(path: string) {
    this.#fd = openSync(path, 'w');
  }

  write(text: string): void {
    if (this.#pending.push(text) >= ROWS_AT_ONCE) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#fd);
  }

  #flush(): void {
    writeSync(this.#fd, this.#pending.join(''));
    this.#pending = [];
  }
}

const ROWS_AT_ONCE = 5_000;

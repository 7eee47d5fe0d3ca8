import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { PROJECT_ROOT } from '../../../../fixtures/open-file.js';
import type { OpenFile } from '../../../input/published-source.js';
import { FeedError } from '../../../input/feed-error.js';
import type { List } from '../../list.js';
import { tryContents, tryList, writeContents, type ListTrial } from '../../testing/list-trial.js';
import { formatPrefix } from '../../../net/prefix.js';

/** Reads a fixture by its id, `<folder>/<name>`. */
export function fixtureBytes(id: string): Buffer {
  return readFileSync(join(PROJECT_ROOT, 'fixtures/feeds', id));
}

/** Asserts that a file is refused for a reason. */
export async function refuses(
  t: Test,
  list: List,
  content: { readonly id: string; readonly bytes: string | Buffer; readonly refusal: string },
): Promise<void> {
  await t.rejects(
    tryContents(t, list, { [content.id]: content.bytes }),
    { name: 'FeedError', refusal: content.refusal, file: content.id },
    String(content.bytes).slice(0, 60),
  );
}

/**
 * Truncates a fixture at every byte. Asserts that each part is refused or gives exactly the claims of the whole file.
 * Returns the sizes that were accepted, in ascending order.
 */
export async function wholeOrRefused(t: Test, list: List, id: string): Promise<number[]> {
  const bytes = fixtureBytes(id);
  const root = t.testdir({});
  const copyOf = (lane: number): OpenFile => writeContents(join(root, String(lane)), { [id]: bytes })[0]!;
  const whole = await said(list, copyOf(0));
  const taken: number[] = [];
  const cutFrom = async (lane: number): Promise<void> => {
    const copy = copyOf(lane);
    for (let size = bytes.length - 1 - lane; size >= 0; size -= LANES) {
      truncateSync(copy.path, size);
      const found = await said(list, { ...copy, sizeBytes: size });
      if (found === undefined) continue;
      taken.push(size);
      t.same(found, whole, `${id} cut at byte ${size}`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, lane) => cutFrom(lane)));
  return taken.sort((a, b) => a - b);
}

/** The number of copies that are truncated concurrently, because most of the time is waiting for the disk. */
const LANES = 8;

/** Reads a file. Returns undefined when it was refused. */
async function said(list: List, file: OpenFile): Promise<unknown> {
  try {
    const { claims, asns, table, tally } = await tryList(list, [file]);
    const { accepted, rejected } = tally(file.id);
    return { claims, asns: [...asns], networks: networksOf(table), accepted, rejected };
  } catch (error) {
    if (error instanceof FeedError) return undefined;
    throw error;
  }
}

function networksOf(table: ListTrial['table']): string[] {
  const networks: string[] = [];
  table.forEach((address, length, recordId) => {
    networks.push(`${formatPrefix(address, length)} ${recordId}`);
  });
  return networks;
}

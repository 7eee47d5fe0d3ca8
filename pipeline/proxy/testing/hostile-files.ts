import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { PROJECT_ROOT } from '../../../fixtures/open-file.js';
import { FeedError } from '../../feeds/feed-error.js';
import type { List } from '../../lists/list.js';
import { tryContents, tryList, writeContents, type ListTrial } from '../../lists/testing/list-trial.js';
import { formatPrefix } from '../../net/prefix.js';

/** The bytes of a fixture by its id, `<folder>/<name>`. */
export function fixtureBytes(id: string): Buffer {
  return readFileSync(join(PROJECT_ROOT, 'fixtures/feeds', id));
}

/** Publishers' files, where a developer keeps them. */
export const REAL_FEEDS = join(PROJECT_ROOT, '../shared/data/feeds');

/** What to give a test as `skip` that needs this file of them. */
export function skipWithout(id: string): string | false {
  return existsSync(join(REAL_FEEDS, id)) ? false : `no ${join(REAL_FEEDS, id)}`;
}

/** Holds that a file is refused for this reason. */
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
 * Cuts a fixture behind every byte: each piece is refused, or says exactly what the whole file says. Answers with the
 * sizes that were read.
 */
export async function wholeOrRefused(t: Test, list: List, id: string): Promise<number[]> {
  const bytes = fixtureBytes(id);
  const root = t.testdir({});
  const read = (content: Buffer): Promise<ListTrial> => tryList(list, writeContents(root, { [id]: content }));
  const whole = await said(read(bytes), id);
  const taken: number[] = [];
  for (let size = 0; size < bytes.length; size++) {
    const found = await said(read(bytes.subarray(0, size)), id);
    if (found === undefined) continue;
    taken.push(size);
    t.same(found, whole, `${id} cut at byte ${size}`);
  }
  return taken;
}

/** What came of a file; absent when it was refused. */
async function said(trial: Promise<ListTrial>, id: string): Promise<unknown> {
  try {
    const { claims, asns, table, tally } = await trial;
    const { accepted, rejected } = tally(id);
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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { PROJECT_ROOT } from '../../../../fixtures/open-file.js';
import { FeedError, type Refusal } from '../../../input/feed-error.js';
import type { List } from '../../list.js';
import type { ListClaim } from '../../list-claim.js';
import { REAL_FILES, withoutReal } from '../../../input/testing/real-files.js';
import { tryContents, tryFiles, type ListTrial } from '../../testing/list-trial.js';
import { IPV4_DEPTH } from '../../../net/address.js';
import { prefixFamily } from '../../../net/prefix.js';
import { CLOUD_FOLDER } from '../../../input/cloud/cloud-file.js';

const FIXTURES = join(PROJECT_ROOT, 'fixtures/feeds');

/** Reads the text of a fixture. */
export function fixtureText(name: string): string {
  return readFileSync(join(FIXTURES, CLOUD_FOLDER, name), 'utf8');
}

/** Reads fixtures with a list. */
export function tryFixtures(list: List, ...names: readonly string[]): Promise<ListTrial> {
  return tryFiles(list, names.map(idOf));
}

/** Reads a text with a list instead of a fixture. */
export function tryText(t: Test, list: List, name: string, text: string): Promise<ListTrial> {
  return tryContents(t, list, { [idOf(name)]: text });
}

/** Reads real files of the publisher with a list. */
export function tryPublished(list: List, ...names: readonly string[]): Promise<ListTrial> {
  return tryFiles(list, names.map(idOf), REAL_FILES);
}

/** Reads the text of a real file of the publisher. */
export function publishedText(name: string): string {
  return readFileSync(join(REAL_FILES, CLOUD_FOLDER, name), 'utf8');
}

/** Returns the `skip` option of a test with real files: a reason when one is missing, else false. */
export function withoutPublished(...names: readonly string[]): string | false {
  return withoutReal(names.map(idOf));
}

/** Counts the IPv4 addresses with a claim that `wanted` accepts. */
export function countAddresses(
  { table, claims }: Pick<ListTrial, 'table' | 'claims'>,
  wanted: (claim: ListClaim) => boolean = () => true,
): number {
  let count = 0;
  table.forEach((address, length, recordId) => {
    if (length < IPV4_DEPTH || prefixFamily(address, length) !== 4 || !wanted(claims[recordId]!)) return;
    count += 2 ** (128 - length);
  });
  return count;
}

/** Converts to millions with one decimal. */
export function inMillions(count: number): number {
  return Math.round(count / 1e5) / 10;
}

/** Reads a text instead of a fixture. Returns the refusal, or undefined when it is accepted. */
export async function refusalOf(
  t: Test,
  list: List,
  name: string,
  text: string,
): Promise<Refusal | undefined> {
  const error = await refused(t, list, { [idOf(name)]: text });
  if (error) t.equal(error.file, idOf(name));
  return error?.refusal;
}

/** Reads files with these contents. Returns the FeedError, or undefined when they are accepted. */
export async function refused(
  t: Test,
  list: List,
  contents: Parameters<typeof tryContents>[2],
): Promise<FeedError | undefined> {
  try {
    await tryContents(t, list, contents);
    return undefined;
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return error;
  }
}

/**
 * Asserts that a JSON list refuses truncated files, other documents, other containers, and a prefix that is too
 * wide.
 */
export async function refusesDamaged(t: Test, list: List, name: string, prefix: string): Promise<void> {
  const text = fixtureText(name).trimEnd();
  t.equal(await refusalOf(t, list, name, text), undefined, 'as published');
  const step = Math.ceil(text.length / 40);
  for (let end = 1; end < text.length; end += step) {
    const refusal = await refusalOf(t, list, name, text.slice(0, end));
    t.ok(refusal === 'truncated' || refusal === 'container', `cut at byte ${end}: ${refusal}`);
  }
  t.equal(await refusalOf(t, list, name, ''), 'truncated');
  t.equal(await refusalOf(t, list, name, '<!DOCTYPE html><html><body>Sorry</body></html>'), 'container');
  for (const other of ['{}', '[]', 'null', '"text"', '{"message":"API rate limit exceeded"}']) {
    t.equal(await refusalOf(t, list, name, other), 'header', other);
  }
  const wide = text.replaceAll(`"${prefix}"`, '"64.0.0.0/4"');
  t.not(wide, text, 'the fixture has the prefix');
  t.equal(await refusalOf(t, list, name, wide), 'too-wide');
}

function idOf(name: string): string {
  return `${CLOUD_FOLDER}/${name}`;
}

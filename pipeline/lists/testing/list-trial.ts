import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { openFileAt, PROJECT_ROOT } from '../../../fixtures/open-file.js';
import type { Container, OpenFile } from '../../input/published-source.js';
import { Tally } from '../../input/tally.js';
import { parseAddress } from '../../net/address.js';
import { parseSpecialPurposeRegistry } from '../../net/special-purpose.js';
import { reservedSpace } from '../../table/reserved-space.js';
import { ListRows, type ListTable } from '../collect-list.js';
import type { List } from '../list.js';
import type { ListClaim } from '../list-claim.js';

/** The result of reading files with a list, for tests. */
export interface ListTrial extends ListTable {
  /** Returns the tally of a file by its id, `<folder>/<name>`. */
  readonly tally: (id: string) => Tally;
  /** Returns `reason@position` of every example of a rejected row, in alphabetical order. */
  readonly rejections: (id: string) => string[];
  readonly claimAt: (address: string) => ListClaim | undefined;
  readonly log: readonly string[];
}

/** Reads files with a list as a build does, without IANA's reserved space. */
export async function tryList(list: List, files: readonly OpenFile[]): Promise<ListTrial> {
  const rows = new ListRows(list, reserved);
  const tallies = new Map(files.map(({ id }) => [id, new Tally()]));
  const log: string[] = [];
  await list.read(files, (file) => rows.sinkFor(file, tallies.get(file.id)!), {
    log: (line) => log.push(line),
  });
  const made = rows.finish();
  const tally = (id: string): Tally => tallies.get(id)!;
  return {
    ...made,
    log,
    tally,
    rejections: (id) =>
      Object.entries(tally(id).rejections)
        .flatMap(([reason, { examples }]) => examples.map(({ position }) => `${reason}@${position}`))
        .sort(),
    claimAt: (address) => {
      const match = made.table.lookup(parseAddress(address)!.address);
      return match === undefined ? undefined : made.claims[match.recordId];
    },
  };
}

/** Writes files with these contents, by `<folder>/<name>`, and reads them. */
export async function tryContents(
  t: Test,
  list: List,
  contents: Readonly<Record<string, string | Buffer>>,
): Promise<ListTrial> {
  const root = t.testdir({});
  return tryList(list, writeContents(root, contents));
}

/** Writes files with these contents, by `<folder>/<name>`, below a folder. */
export function writeContents(root: string, contents: Readonly<Record<string, string | Buffer>>): OpenFile[] {
  return Object.entries(contents).map(([id, content]) => {
    const path = join(root, id);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return openAs(id, path);
  });
}

/** Reads files of these ids in the fixtures, or below another folder. */
export async function tryFiles(
  list: List,
  ids: readonly string[],
  root = join(PROJECT_ROOT, 'fixtures/feeds'),
): Promise<ListTrial> {
  return tryList(
    list,
    ids.map((id) => openAs(id, join(root, id))),
  );
}

function openAs(id: string, path: string): OpenFile {
  const slash = id.indexOf('/');
  return {
    ...openFileAt(path, containerOf(path)),
    id,
    folder: id.slice(0, slash),
    name: id.slice(slash + 1),
  };
}

function containerOf(path: string): Container {
  if (/\.zip$/i.test(path)) return 'zip';
  return path.endsWith('.gz') ? 'gz' : 'plain';
}

/** IANA's reserved space according to the fixtures. */
export const reserved = reservedSpace(
  [4, 6].flatMap((family) => {
    const path = join(PROJECT_ROOT, `fixtures/feeds/iana/iana-ipv${family}-special-registry.xml`);
    return parseSpecialPurposeRegistry(readFileSync(path, 'utf8'));
  }),
);

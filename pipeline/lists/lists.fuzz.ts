import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { inserting } from '../fuzz/mutate.js';
import { unlessDeclared, type FuzzTarget, type TargetLifetime } from '../fuzz/target.js';
import { FeedError, RefusedFiles } from '../input/feed-error.js';
import { matchesName } from '../input/name-pattern.js';
import type { OpenFile } from '../input/published-source.js';
import { LISTS } from './catalogue.js';
import type { List } from './list.js';
import { tryList } from './testing/list-trial.js';

const FIXTURES = join(PROJECT_ROOT, 'fixtures/feeds');

/** A file of a list that is read alone. */
interface ListFile {
  readonly list: List;
  readonly file: OpenFile;
  readonly bytes: Buffer;
}

const PIECES = [
  ',',
  ';',
  '\t',
  '"',
  '\n',
  '\r\n',
  '#',
  '[',
  ']',
  '{',
  '}',
  '[[[[',
  '{"a":',
  'null',
  '-1',
  '1e999',
  '::/0',
];

/** Reads damaged files of every list: text, CSV, JSON, JSON lines and zip. */
export function openTarget(t: TargetLifetime): FuzzTarget {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-fuzz-lists-'));
  t.teardown(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const files = LISTS.flatMap((list) => filesOf(list, join(dir, 'file')));
  return {
    seeds: files.map(({ bytes }, i) => ({ name: String(i), bytes })),
    mutators: [inserting(PIECES)],
    run: async ({ name, bytes }) => {
      const { list, file } = files[Number(name)]!;
      writeFileSync(file.path, bytes);
      try {
        await tryList(list, [{ ...file, sizeBytes: bytes.length }]);
      } catch (error) {
        unlessDeclared(error, [FeedError, RefusedFiles]);
      }
    },
  };
}

function filesOf(list: List, path: string): ListFile[] {
  const ids = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' });
  return list.files.flatMap(({ folder, name: pattern, container }) =>
    ids
      .filter((id) => matchesName(`${folder}/${pattern}`, id))
      .map((id) => {
        const name = id.slice(folder.length + 1);
        const about = { id, folder, name, container, path, sizeBytes: 0, onRead: () => undefined };
        return {
          list,
          file: { ...about, maxUnpackedBytes: 32_000_000 },
          bytes: readFileSync(join(FIXTURES, id)),
        };
      }),
  );
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { gzFile } from '../../../fixtures/generate/gz-file.js';
import { zipFile } from '../../../fixtures/generate/zip-file.js';
import { openFileAt, PROJECT_ROOT } from '../../../fixtures/open-file.js';
import { parseAddress } from '../../net/address.js';
import { parseSpecialPurposeRegistry } from '../../net/special-purpose.js';
import { reservedSpace } from '../../table/reserved-space.js';
import type { Claim } from '../../input/claims/claim.js';
import { LayeredClaims } from '../../input/claims/layered-claims.js';
import type { Container, OpenFile } from '../../input/published-source.js';
import type { Feed } from '../feed.js';
import type { Tally } from '../../input/tally.js';

/** The result of reading files with a feed, for tests. */
export interface FeedTrial {
  /** Returns the tally of a file by its name, without its folder. */
  readonly tally: (name: string) => Tally;
  /** Returns `reason@line` of every example of a rejected row, in alphabetical order. */
  readonly rejections: (name: string) => string[];
  readonly networks: number;
  readonly claimAt: (address: string) => Claim | undefined;
}

/** Reads files with a feed as a build does, without IANA's reserved space. */
export async function tryFeed(feed: Feed, files: readonly OpenFile[]): Promise<FeedTrial> {
  const options = feed.foldMapped === undefined ? {} : { foldMapped: feed.foldMapped };
  const collected = new LayeredClaims(feed.layers.length, RESERVED, options);
  await feed.read(files, (file) => collected.sinkFor(file));
  const { table, claims } = collected.finish((said) => feed.combine(said));
  const tally = (name: string): Tally => collected.tallies.get(`${feed.id}/${name}`)!;
  return {
    tally,
    rejections: (name) =>
      Object.entries(tally(name).rejections)
        .flatMap(([reason, { examples }]) => examples.map(({ position }) => `${reason}@${position}`))
        .sort(),
    networks: table.networkCount(),
    claimAt: (address) => {
      const match = table.lookup(parseAddress(address)!.address);
      return match && claims[match.recordId];
    },
  };
}

/** Opens a fixture file of the feed. */
export function fixtureFile(feed: Feed, name: string): OpenFile {
  return openFileAt(join(PROJECT_ROOT, 'fixtures/feeds', feed.id, name), containerOf(name));
}

/** Reads a source text of the fixtures as Latin-1, which preserves every byte. */
export function sourceText(path: string): string {
  return readFileSync(join(PROJECT_ROOT, 'fixtures/sources', path), 'latin1');
}

/** Writes a file of the feed with these bytes. */
export function fileOfBytes(
  t: Test,
  { feed, name }: { feed: Feed; name: string },
  bytes: Buffer | string,
): OpenFile {
  const folder = join(t.testdir({}), feed.id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bytes);
  return openFileAt(join(folder, name), containerOf(name));
}

/** Writes a file of the feed with these lines (Latin-1), packed according to its name. */
export function fileOfRows(
  t: Test,
  { feed, name, entry = 'table.csv' }: { feed: Feed; name: string; entry?: string },
  lines: readonly string[],
): OpenFile {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');
  const packed = containerOf(name) === 'gz' ? gzFile(bytes) : zipFile([{ name: entry, bytes }]);
  return fileOfBytes(t, { feed, name }, packed);
}

/** Reserved space by the fixtures of IANA's registries. */
export const RESERVED = reservedSpace(
  [4, 6].flatMap((family) => {
    const path = join(PROJECT_ROOT, `fixtures/feeds/iana/iana-ipv${family}-special-registry.xml`);
    return parseSpecialPurposeRegistry(readFileSync(path, 'utf8'));
  }),
);

function containerOf(name: string): Container {
  const ending = name.toLowerCase().slice(name.lastIndexOf('.') + 1);
  return ending === 'gz' || ending === 'zip' ? ending : 'plain';
}

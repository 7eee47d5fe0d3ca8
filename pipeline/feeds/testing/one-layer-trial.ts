import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { openFileAt, PROJECT_ROOT } from '../../../fixtures/open-file.js';
import { parseAddress } from '../../net/address.js';
import { parseSpecialPurposeRegistry } from '../../net/special-purpose.js';
import { reservedSpace } from '../../table/reserved-space.js';
import type { Claim } from '../claim.js';
import { LayeredClaims } from '../claim-sink.js';
import type { Feed, OpenFile } from '../feed.js';
import type { Tally } from '../tally.js';

/** What a feed of one layer made of some files; for tests. */
export interface OneLayerTrial {
  /** By file name. */
  tally(name: string): Tally;
  readonly networks: number;
  claimAt(address: string): Claim | undefined;
}

/** Reads files as a build does, behind IANA's reserved space. */
export async function tryFeed(feed: Feed, files: readonly OpenFile[]): Promise<OneLayerTrial> {
  const collected = new LayeredClaims(feed.layers.length, reserved);
  await feed.read(files, (file) => collected.sinkFor(file));
  const { table, claims } = collected.finish((said) => feed.combine(said));
  return {
    tally: (name) => collected.tallies.get(`${feed.id}/${name}`)!,
    networks: table.networkCount(),
    claimAt: (address) => {
      const match = table.lookup(parseAddress(address)!.address);
      return match === undefined ? undefined : claims[match.recordId];
    },
  };
}

/** A file of a feed with this content, in the test's own folder. */
export function writeFeedFile(t: Test, feed: Feed, name: string, content: Buffer | string): OpenFile {
  const folder = join(t.testdir({}), feed.id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
  return openFileAt(join(folder, name), 'plain');
}

const reserved = reservedSpace(
  [4, 6].flatMap((family) => {
    const path = join(PROJECT_ROOT, `fixtures/feeds/iana/iana-ipv${family}-special-registry.xml`);
    return parseSpecialPurposeRegistry(readFileSync(path, 'utf8'));
  }),
);

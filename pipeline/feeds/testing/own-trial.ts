import { statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseAddress } from '../../net/address.js';
import { parsePrefix } from '../../net/prefix.js';
import { PrefixTable } from '../../table/prefix-table.js';
import type { Claim } from '../claim.js';
import { LayeredClaims, type ClaimedNetworks } from '../claim-sink.js';
import type { OpenFile } from '../feed.js';
import { own } from '../own.js';
import type { Tally } from '../tally.js';

/** What the feed `own` made of some files; for its tests. */
export class Trial {
  readonly #tallies: ReadonlyMap<string, Tally>;
  readonly #networks: ClaimedNetworks;

  constructor(collected: LayeredClaims) {
    this.#tallies = collected.tallies;
    this.#networks = collected.finish((claims) => own.combine(claims));
  }

  get networkCount(): number {
    return this.#networks.table.networkCount();
  }

  get files(): string[] {
    return [...this.#tallies.keys()];
  }

  /** The tally of a file. */
  tally(id: string): Tally {
    return this.#tallies.get(id)!;
  }

  /** `reason@line` of every rejected row that was kept as an example. */
  rejections(id: string): string[] {
    return Object.entries(this.tally(id).rejections).flatMap(([reason, { examples }]) =>
      examples.map(({ position }) => `${reason}@${position}`),
    );
  }

  /** What the feed says about an address. */
  claimAt(address: string): Claim | undefined {
    const match = this.#networks.table.lookup(parseAddress(address)!.address);
    return match && this.#networks.claims[match.recordId];
  }
}

/** Reads files that lie under `root`, given by their ids. 10.0.0.0/8 is all the reserved space there is. */
export async function tryFiles(root: string, ids: readonly string[]): Promise<Trial> {
  const reserved = new PrefixTable();
  const { address, length } = parsePrefix('10.0.0.0/8')!;
  reserved.insert(address, length, 0);
  const collected = new LayeredClaims(own.layers.length, reserved.flatten());
  await own.read(
    ids.map((id) => openAt(root, id)),
    (file) => collected.sinkFor(file),
  );
  return new Trial(collected);
}

/** Writes files with the given contents, by id, into the folder `root` and reads them. Names in `.gz` are packed. */
export async function tryContents(
  root: string,
  contents: Readonly<Record<string, string | Buffer>>,
): Promise<Trial> {
  for (const [id, content] of Object.entries(contents)) {
    const file = path.join(root, id);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, id.endsWith('.gz') ? gzipSync(content) : content);
  }
  return tryFiles(root, Object.keys(contents));
}

function openAt(root: string, id: string): OpenFile {
  const slash = id.indexOf('/');
  const file = path.join(root, id);
  return {
    id,
    folder: id.slice(0, slash),
    name: id.slice(slash + 1),
    container: id.endsWith('.gz') ? 'gz' : 'plain',
    path: file,
    sizeBytes: statSync(file).size,
    onRead: () => undefined,
  };
}

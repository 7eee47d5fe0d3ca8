import { statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseAddress } from '../../net/address.js';
import { parsePrefix } from '../../net/prefix.js';
import { PrefixTable } from '../../table/prefix-table.js';
import type { Claim } from '../../input/claims/claim.js';
import { LayeredClaims, type ClaimedNetworks } from '../../input/claims/layered-claims.js';
import type { OpenFile } from '../../input/published-source.js';
import { own } from '../own/own.js';
import type { Tally } from '../../input/tally.js';

/** The result of reading files with the feed `own`, for tests. */
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

  /** Returns the tally of a file by its id. */
  tally(id: string): Tally {
    return this.#tallies.get(id)!;
  }

  /** Returns `reason@line` of every example of a rejected row. */
  rejections(id: string): string[] {
    return Object.entries(this.tally(id).rejections).flatMap(([reason, { examples }]) =>
      examples.map(({ position }) => `${reason}@${position}`),
    );
  }

  /** Returns the claim for an address. */
  claimAt(address: string): Claim | undefined {
    const match = this.#networks.table.lookup(parseAddress(address)!.address);
    return match && this.#networks.claims[match.recordId];
  }
}

/** Reads files below `root` by their ids. The only reserved space is 10.0.0.0/8. */
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

/** Writes files by id into the folder `root` and reads them. Packs names that end with `.gz`. */
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

/** Opens the file `<folder>/<name>` below a folder. */
export function openAt(root: string, id: string): OpenFile {
  const slash = id.indexOf('/');
  const file = path.join(root, id);
  return {
    id,
    folder: id.slice(0, slash),
    name: id.slice(slash + 1),
    container: id.endsWith('.gz') ? 'gz' : 'plain',
    path: file,
    sizeBytes: statSync(file).size,
    maxUnpackedBytes: Infinity,
    onRead: () => undefined,
  };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Reader, type Response } from 'maxmind';
import type { z } from 'zod';
import { readMetadata } from '../mmdb/metadata.js';
import { layOut } from '../mmdb/tree-layout.js';
import { familyOf, formatAddress, IPV4_DEPTH, type Address, type Family } from '../net/address.js';
import { formatPrefix, maskInto } from '../net/prefix.js';
import { isMissing } from '../release/missing.js';
import { ReleaseError, type Release } from '../release/release-store.js';

/** What a dataset says about an address; `prefix` is the network that holds it. */
export interface Answer<Record> {
  readonly prefix: string;
  readonly record: Record;
}

/** A dataset of a release, asked through the reader that clients use. */
export class InspectedFile {
  readonly #path: string;
  readonly #reader: Reader<Response>;

  /** Only a few pages are needed, but the reader wants all of it in memory. Throws ReleaseError when it is no MMDB. */
  constructor(path: string) {
    this.#path = path;
    const bytes = readWhole(path);
    this.#reader = this.#reading(() => {
      // The reader itself takes a file whose tree was torn for a good one.
      layOut(bytes, readMetadata(bytes));
      return new Reader<Response>(bytes);
    });
  }

  /**
   * What the file says about an address, in the record's known shape; absent when it says nothing. IPv6 addresses in
   * ::/96 have no answer: what lies there is IPv4. Throws ReleaseError when the file turns out to be damaged, or the
   * record to be of another shape.
   */
  lookupAs<Schema extends z.ZodType>(
    schema: Schema,
    address: Address,
    family: Family,
  ): Answer<z.infer<Schema>> | undefined {
    if (family === 6 && familyOf(address) === 4) return undefined;
    const [record, length] = this.#reading(() =>
      this.#reader.getWithPrefixLength(formatAddress(address, family)),
    );
    if (record === null) return undefined;
    const network = address.slice();
    const depth = family === 4 ? length + IPV4_DEPTH : length;
    maskInto(network, depth);
    const prefix = formatPrefix(network, depth, family);
    const parsed = schema.safeParse(record);
    if (parsed.success) return { prefix, record: parsed.data };
    const { path, message } = parsed.error.issues[0]!;
    throw new ReleaseError(this.#path, `record of ${prefix}: ${path.join('.')}: ${message}`, {
      cause: parsed.error,
    });
  }

  /** The reader knows no error of its own: whatever it throws means that the bytes are not what they should be. */
  #reading<Value>(read: () => Value): Value {
    try {
      return read();
    } catch (cause) {
      const found = cause instanceof Error ? cause.message : String(cause);
      throw new ReleaseError(this.#path, `is damaged: ${found}`, { cause });
    }
  }
}

/** Opens a dataset of a release; absent when the release has none of that name. Throws ReleaseError. */
export function openFile(release: Release, name: string): InspectedFile | undefined {
  const isThere = release.manifest.files.some((file) => file.name === name);
  return isThere ? new InspectedFile(join(release.dir, name)) : undefined;
}

function readWhole(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    if (isMissing(cause)) throw new ReleaseError(path, 'is not there', { cause });
    throw cause;
  }
}

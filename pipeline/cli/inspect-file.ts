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

/** A record of a dataset for an address. `prefix` is the network it belongs to. */
export interface Answer<Record> {
  readonly prefix: string;
  readonly record: Record;
}

/** A dataset of a release, read with the library that clients use. */
export class InspectedFile {
  readonly #path: string;
  readonly #reader: Reader<Response>;

  /** Reads the whole file: the library needs all of it in memory. Throws ReleaseError when it is not an MMDB. */
  constructor(path: string) {
    this.#path = path;
    const bytes = readWhole(path);
    this.#reader = this.#reading(() => {
      // The library itself accepts a file with a truncated tree.
      layOut(bytes, readMetadata(bytes));
      return new Reader<Response>(bytes);
    });
  }

  /**
   * Returns the record of an address, checked against its schema; absent when there is none. IPv6 addresses in ::/96
   * have no record: IPv4 is stored there. Throws ReleaseError when the file is damaged or the record does not fit the
   * schema.
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

  /** Runs a read. The library has no error class of its own: any error means that the file is damaged. */
  #reading<Value>(read: () => Value): Value {
    try {
      return read();
    } catch (cause) {
      const found = cause instanceof Error ? cause.message : String(cause);
      throw new ReleaseError(this.#path, `is damaged: ${found}`, { cause });
    }
  }
}

/** Opens a dataset of a release; absent when the release has no such file. Throws ReleaseError. */
export function openFile(release: Release, name: string): InspectedFile | undefined {
  const isListed = release.manifest.files.some((file) => file.name === name);
  return isListed ? new InspectedFile(join(release.dir, name)) : undefined;
}

function readWhole(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    if (isMissing(cause)) throw new ReleaseError(path, 'file not found', { cause });
    throw cause;
  }
}

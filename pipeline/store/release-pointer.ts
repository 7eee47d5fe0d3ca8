import { z } from 'zod';
import { manifestSchema } from '../release/contract.js';
import type { ObjectBody, ObjectStore } from './object-store.js';
import { digestSchema } from './remote-tier.js';
import { StoreError } from './store-error.js';
import { readBody } from './verified-read.js';
import { parseJson } from '../text/parse-json.js';

const pointerSchema = z.strictObject({
  /** Id of the release. */
  id: manifestSchema.shape.id,
  /** Digest of its manifest, which is an object. */
  manifest: digestSchema,
  /** Digest of its report; absent without one. */
  report: digestSchema.exactOptional(),
});

/** Names a release in a store. Its files and its manifest are objects, which the store has before any pointer to them. */
export type ReleasePointer = z.infer<typeof pointerSchema>;

/** The pointer to the current release. Servers follow it. */
export const CURRENT_KEY = 'current';

/** Key prefix of the pointers to all kept releases. */
export const RELEASES_PREFIX = 'releases/';

/** Returns the key of the pointer to a kept release. */
export function releaseKey(id: string): string {
  return `${RELEASES_PREFIX}${id}.json`;
}

/** Encodes a pointer. Equal pointers are equal bytes. */
export function encodePointer(pointer: ReleasePointer): Buffer {
  return Buffer.from(`${JSON.stringify(pointerSchema.parse(pointer), undefined, 2)}\n`);
}

/** Reads the pointer at a key; undefined if there is none. Throws StoreError if it is no pointer. */
export async function readPointer(store: ObjectStore, key: string): Promise<ReleasePointer | undefined> {
  const found = await store.get(key);
  return found && parsePointer(await readPointerText(found), `${store.name}/${key}`);
}

/** A pointer, and the ETag of its object. */
export interface CurrentPointer {
  readonly pointer: ReleasePointer;
  readonly etag: string;
}

/**
 * Reads `current` unless it still has an ETag. Returns undefined before the first release. Throws StoreError if it is no
 * pointer.
 */
export async function readCurrent(
  store: ObjectStore,
  ifNoneMatch: string | undefined,
): Promise<CurrentPointer | 'unchanged' | undefined> {
  const found = await store.get(CURRENT_KEY, ifNoneMatch);
  if (found === undefined || found === 'unchanged') return found;
  const text = await readPointerText(found);
  return { pointer: parsePointer(text, `${store.name}/${CURRENT_KEY}`), etag: found.etag };
}

async function readPointerText(found: ObjectBody): Promise<string> {
  return (await readBody(found, POINTER_BYTES)).toString();
}

function parsePointer(text: string, where: string): ReleasePointer {
  const parsed = pointerSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new StoreError(where, 'names no release: expected {"id", "manifest": {"sha256", "sizeBytes"}}');
}

const POINTER_BYTES = 64 << 10;

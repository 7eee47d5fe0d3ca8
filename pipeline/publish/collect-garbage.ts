import assert from 'node:assert';
import { z } from 'zod';
import { gazetteerNameOf, normalisedNameOf } from '../ingest/cache-paths.js';
import { filesOfRelease, manifestSchema, type Manifest } from '../release/contract.js';
import { sha256Text } from '../release/digest.js';
import type { ObjectStore } from '../store/object-store.js';
import { CURRENT_KEY, readPointer, RELEASES_PREFIX, type ReleasePointer } from '../store/release-pointer.js';
import { indexKey, parseIndex } from '../store/remote-tier.js';
import { StoreError } from '../store/store-error.js';
import { contentKey, readBody } from '../store/verified-read.js';
import { parseJson } from '../text/parse-json.js';

/** What a store keeps. */
export interface KeepRule {
  /** Number of releases, the current one included; at least 1. */
  readonly keep: number;
  /** How long an object stays after it was first found to be needed by no kept release. */
  readonly graceMs: number;
  /** The current time, ms since 1970. */
  readonly nowMs: number;
}

/** What was removed, and what waits for its removal. */
export interface Collected {
  /** Ids of releases that are not kept any more. */
  readonly releases: readonly string[];
  /** Keys of removed objects. */
  readonly removed: readonly string[];
  /** Number of objects that no kept release needs and that are removed later. */
  readonly waiting: number;
}

/**
 * Removes what no kept release of a store needs: the current release and the newest others are kept, with the inputs and
 * finished work that they were made from. An object is removed only if it was garbage for `graceMs`, because a server
 * may be downloading it. Call it after a publication, while no build runs for this store. Throws StoreError, and removes
 * nothing, if the needs of a kept release are unknown.
 */
export async function collectGarbage(store: ObjectStore, rule: KeepRule): Promise<Collected> {
  assert(Number.isInteger(rule.keep) && rule.keep >= 1, 'keep is a whole number of at least 1');
  const { kept, dropped } = await chooseReleases(store, rule.keep);
  const needed = await keysNeededBy(store, kept);
  await store.delete(dropped.map(({ key }) => key));
  const since = await readGarbage(store);
  const waiting: Record<string, number> = {};
  const removed: string[] = [];
  // Folders of finished work come first: otherwise an index could name objects that no longer exist.
  for (const prefix of ['kept/', 'objects/']) {
    for await (const { key } of store.list(prefix)) {
      if (needed.has(key)) continue;
      const firstMs = since[key] ?? rule.nowMs;
      if (firstMs + rule.graceMs <= rule.nowMs) removed.push(key);
      else waiting[key] = firstMs;
    }
  }
  await store.delete(removed);
  await store.put(GARBAGE_KEY, Buffer.from(JSON.stringify(waiting, undefined, 2)));
  await store.removeUnfinished(rule.nowMs - rule.graceMs);
  return { releases: dropped.map(({ id }) => id), removed, waiting: Object.keys(waiting).length };
}

/** The pointers to the kept releases, and the keys of all others. */
interface Choice {
  readonly kept: readonly ReleasePointer[];
  readonly dropped: readonly { readonly key: string; readonly id: string }[];
}

async function chooseReleases(store: ObjectStore, keep: number): Promise<Choice> {
  const current = await readPointer(store, CURRENT_KEY);
  const kept = current ? [current] : [];
  const dropped: { key: string; id: string }[] = [];
  const keys: string[] = [];
  for await (const { key } of store.list(RELEASES_PREFIX)) keys.push(key);
  // Ids begin with the time of the build.
  for (const key of keys.sort().reverse()) {
    const pointer = await readPointer(store, key);
    if (pointer === undefined || pointer.id === current?.id) continue;
    if (kept.length < keep) kept.push(pointer);
    else dropped.push({ key, id: pointer.id });
  }
  return { kept, dropped };
}

async function keysNeededBy(store: ObjectStore, kept: readonly ReleasePointer[]): Promise<Set<string>> {
  const needed = new Set<string>();
  const folders = new Set<string>();
  for (const { manifest: digest, report } of kept) {
    const manifest = await readManifestObject(store, digest.sha256);
    for (const { sha256 } of [digest, ...(report ? [report] : []), ...filesOfRelease(manifest)])
      needed.add(contentKey(sha256));
    for (const { files } of manifest.inputs) for (const { sha256 } of files) needed.add(contentKey(sha256));
    for (const name of foldersOf(manifest)) folders.add(name);
  }
  for (const name of folders) {
    needed.add(indexKey(name));
    const index = await textAt(store, indexKey(name));
    const files = index === undefined ? undefined : parseIndex(index);
    for (const { sha256 } of Object.values(files ?? {})) needed.add(contentKey(sha256));
  }
  return needed;
}

/** Returns the names of the folders of finished work that a release was made from. */
function foldersOf({ inputs }: Manifest): string[] {
  return [...inputs.map(normalisedNameOf), gazetteerNameOf(inputs)].filter((name) => name !== undefined);
}

async function readManifestObject(store: ObjectStore, sha256: string): Promise<Manifest> {
  const where = `${store.name}/${contentKey(sha256)}`;
  const text = await textAt(store, contentKey(sha256));
  if (text === undefined || sha256Text(text) !== sha256)
    throw new StoreError(
      where,
      `${text === undefined ? 'is missing' : 'has another sha256'}; nothing was removed`,
    );
  const parsed = manifestSchema.safeParse(JSON.parse(text));
  if (!parsed.success)
    throw new StoreError(where, 'is the manifest of another version; nothing was removed', {
      cause: parsed.error,
    });
  return parsed.data;
}

const garbageSchema = z.record(z.string(), z.int().nonnegative());

/** Returns since when objects are known to be garbage, ms since 1970 by key. Without a valid list, none is. */
async function readGarbage(store: ObjectStore): Promise<Readonly<Record<string, number>>> {
  const text = await textAt(store, GARBAGE_KEY);
  if (text === undefined) return {};
  return garbageSchema.safeParse(parseJson(text)).data ?? {};
}

async function textAt(store: ObjectStore, key: string): Promise<string | undefined> {
  const found = await store.get(key);
  return found && (await readBody(found, TEXT_BYTES)).toString();
}

/** Since when objects are garbage. */
const GARBAGE_KEY = 'garbage.json';
const TEXT_BYTES = 64 << 20;

import type { RecordList } from '../mmdb/write.js';

/** Makes records one by one while they are written: a million records at once would need too much memory. */
export function madeOf<T>(sources: readonly T[], make: (source: T) => unknown): RecordList {
  return { length: sources.length, at: (id) => make(sources[id]!) };
}

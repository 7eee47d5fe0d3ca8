import { isReadable } from './geonames.js';
import type { PlaceNames } from './place.js';
import { foldName, isHan } from './place-name.js';

/** Returns display names without absent languages. */
export function namesOf(en: string | undefined, zh: string | undefined): PlaceNames {
  return { ...(en !== undefined && { en }), ...(zh !== undefined && { 'zh-CN': zh }) };
}

/** Returns the folded names other than the display names, sorted. */
export function alternatesOf({ en, 'zh-CN': zh }: PlaceNames, others: Iterable<string>): string[] {
  const folded = new Set<string>();
  for (const name of others) if (isReadable(name)) folded.add(foldName(name));
  for (const shown of [en, zh]) if (shown !== undefined) folded.delete(foldName(shown));
  folded.delete('');
  return [...folded].sort();
}

/** Whether the name is Chinese and longer than one character. (Some sources truncate names to one character.) */
export function isChineseName(name: string | undefined): name is string {
  return name !== undefined && name.length > 1 && isHan(name);
}

/** Type guard for filters. */
export function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** Returns the value of a key; makes and stores it if it is missing. */
export function entryOf<K, V>(entries: Map<K, V>, key: K, make: () => V): V {
  let held = entries.get(key);
  if (held === undefined) entries.set(key, (held = make()));
  return held;
}

import type { List } from '../lists/list.js';

/** Lists of proxies, threats, clouds and carriers, in the order in which people read about them. */
export const LISTS: readonly List[] = [];

/** The list with this id; absent for other sources. */
export function listById(id: string): List | undefined {
  return LISTS.find((list) => list.id === id);
}

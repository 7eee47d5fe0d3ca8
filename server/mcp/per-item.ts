import { itemError } from './tool.js';

/** Runs all items side by side. The items of one call are few, and each is admitted by itself. An error is named by `key`. */
export function perItem<Item>(
  key: string,
  items: readonly Item[],
  run: (item: Item) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>[]> {
  return Promise.all(
    items.map((item) => run(item).catch((error: unknown) => ({ [key]: item, ...itemError(error) }))),
  );
}

/** Calls an asynchronous function for every item, at most `limit` at the same time. Rejects with the first error. */
export async function atMost<T>(
  limit: number,
  items: readonly T[],
  call: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const work = async (): Promise<void> => {
    for (const item of waiting) await call(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
}

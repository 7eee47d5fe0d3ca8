import { mkdir, rename, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fsyncPath } from '../release/durable.js';

/** Gives a whole file its publisher's date, as far as that is no date to come, and puts it where it is kept. */
export async function moveIntoPlace(
  path: string,
  target: string,
  { lastModified, now }: { readonly lastModified: string | undefined; readonly now: Date },
): Promise<void> {
  const dated = lastModified === undefined ? now : new Date(lastModified);
  await mkdir(dirname(target), { recursive: true });
  await utimes(path, now, dated < now ? dated : now);
  await fsyncPath(path);
  await rename(path, target);
  await fsyncPath(dirname(target));
}

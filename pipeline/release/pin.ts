import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { fsyncPath } from './durable.js';
import { absentIfMissing } from './missing.js';
import { ReleaseError, UNFINISHED } from './release-store.js';
import { parseJson } from '../text/parse-json.js';

const pinSchema = z.strictObject({
  /** Id of the release that stays current. */
  release: z.string(),
  /** `released`: until an operator ends the pin. `next`: until a build has a release with new content. */
  until: z.enum(['released', 'next']),
  /** The releases that were rolled back. A build with the same content is not a new release. */
  rejected: z.array(z.strictObject({ id: z.string(), buildKey: z.string() })),
  /** Time of the rollback. */
  since: z.iso.datetime(),
});

/** Says that a release stays current although builds publish newer ones. It is stored in `output/pin.json`. */
export type Pin = Readonly<z.infer<typeof pinSchema>>;

/** Returns the path of the pin: `output/pin.json`. */
export function pinPath(outputDir: string): string {
  return join(outputDir, 'pin.json');
}

/** Returns the pin, absent without one. Throws ReleaseError when the file is damaged. */
export async function readPin(outputDir: string): Promise<Pin | undefined> {
  const path = pinPath(outputDir);
  const text = await absentIfMissing(readFile(path, 'utf8'));
  if (text === undefined) return undefined;
  const pin = pinSchema.safeParse(parseJson(text));
  if (pin.success) return pin.data;
  throw new ReleaseError(path, 'is not a pin; "ipatlas unpin" removes it', { cause: pin.error });
}

/** Writes the pin atomically. */
export async function writePin(outputDir: string, pin: Pin): Promise<void> {
  const path = pinPath(outputDir);
  const fresh = join(outputDir, `${UNFINISHED}${basename(path)}-${process.pid}`);
  await writeFile(fresh, `${JSON.stringify(pinSchema.parse(pin), undefined, 2)}\n`);
  await fsyncPath(fresh);
  await rename(fresh, path);
  await fsyncPath(outputDir);
}

/** Removes the pin, also a damaged one. Returns whether there was one. */
export async function removePin(outputDir: string): Promise<boolean> {
  try {
    await rm(pinPath(outputDir));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
  await fsyncPath(outputDir);
  return true;
}

/** Returns the pin if it keeps a release with this build key from becoming current. */
export function holding(pin: Pin | undefined, buildKey: string): Pin | undefined {
  if (pin === undefined || pin.until === 'released') return pin;
  return pin.rejected.some((rejected) => rejected.buildKey === buildKey) ? pin : undefined;
}

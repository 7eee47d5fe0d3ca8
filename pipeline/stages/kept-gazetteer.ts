import { readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import { fromJson } from '../gazetteer/gazetteer-json.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { absentIfMissing } from '../release/missing.js';

/**
 * The gazetteer kept in a file; absent when there is none. One that cannot be read is told and thrown away, and is
 * absent then: whoever finds it absent makes it again.
 */
export async function readKeptGazetteer(
  path: string,
  log: (line: string) => void,
): Promise<Gazetteer | undefined> {
  const json = await absentIfMissing(readFile(path, 'utf8'));
  if (json === undefined) return undefined;
  try {
    return fromJson(json);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    log('the gazetteer of an earlier run cannot be read: it is thrown away');
    await rm(path);
    return undefined;
  }
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PARTS_FOLDER } from '../ingest/cache-folders.js';
import { areWhole, digestsOf } from '../ingest/whole-files.js';
import { absentIfMissing } from '../release/missing.js';
import { sha256Text } from '../release/digest.js';
import type { BuildSettings } from '../stage/settings.js';
import type { StageContext } from '../stage/stage.js';
import { KeptFolder } from '../store/kept-folder.js';
import { digestSchema } from '../store/remote-tier.js';
import { parseJson } from '../text/parse-json.js';

/** Work of a job that is kept in a folder of the cache until the release is published. */
export interface KeptWork<T extends z.ZodType> {
  /** The name of the work; the folder is named by it and by the key. */
  readonly name: string;
  /** Everything that the work is made from, one line each. */
  readonly made: readonly string[];
  /** The result besides the files; small JSON. */
  readonly result: T;
  /** Writes the files of the folder and returns the result. */
  write(dir: string): Promise<z.output<T>>;
}

/** Finished work: its result, the name of its folder, and its key. */
export interface Kept<T> {
  readonly result: T;
  readonly folder: string;
  /** Equal keys mean equal files. */
  readonly key: string;
}

/** Where work is kept; without `remote` on this machine only. */
type KeepingPlace = Pick<StageContext, 'remote' | 'log'> & {
  readonly settings: Pick<BuildSettings, 'outputDir'>;
};

/**
 * Finds the result of the same work in the cache or in the store, or does the work. A killed build continues with what
 * it finds; a damaged folder is removed and made again.
 */
export async function keptResult<T extends z.ZodType>(
  work: KeptWork<T>,
  { settings, remote, log }: KeepingPlace,
): Promise<Kept<z.output<T>>> {
  const key = sha256Text([work.name, ...work.made].join('\n'));
  const folder = new KeptFolder(
    settings.outputDir,
    `${PARTS_FOLDER}/${work.name}-${key.slice(0, 16)}`,
    remote,
  );
  const found = await findResult(folder, work.result, log);
  if (found) return { result: found.result, folder: folder.name, key };
  let result: z.output<T>;
  await folder.write(async (beside) => {
    result = await work.write(beside);
    const files = await digestsOf(beside, {});
    await writeFile(join(beside, RESULT), JSON.stringify({ result, files }), { flush: true });
    return files;
  });
  return { result: result!, folder: folder.name, key };
}

/** Returns the path of the folder of finished work on this machine, downloaded from the store if necessary. */
export function requireKept(
  folder: string,
  { settings, remote }: Pick<StageContext, 'settings' | 'remote'>,
): Promise<string> {
  return new KeptFolder(settings.outputDir, folder, remote).require();
}

const RESULT = 'result.json';

async function findResult<T extends z.ZodType>(
  folder: KeptFolder,
  schema: T,
  log: (line: string) => void,
): Promise<{ readonly result: z.output<T> } | undefined> {
  for (let reading = 0; reading < READINGS; reading++) {
    if (!(await folder.find())) return undefined;
    const found = await readResult(folder.dir, schema);
    if (found) {
      await folder.share(found.files);
      return found;
    }
    log(`${folder.name} of an earlier run is damaged: it is removed and made again`);
    await folder.discard();
  }
  return undefined;
}

/** The copy on this machine, and the copy in the store. */
const READINGS = 2;

async function readResult<T extends z.ZodType>(dir: string, schema: T) {
  const json = await absentIfMissing(readFile(join(dir, RESULT), 'utf8'));
  const stored = json === undefined ? undefined : storedSchema.safeParse(parseJson(json)).data;
  const parsed = stored && schema.safeParse(stored.result);
  if (!parsed?.success || !(await areWhole(dir, stored!.files))) return undefined;
  return { result: parsed.data, files: stored!.files };
}

const storedSchema = z.strictObject({ result: z.unknown(), files: z.record(z.string(), digestSchema) });

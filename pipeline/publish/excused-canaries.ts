import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Reader, type Response } from 'maxmind';
import { OPERATOR_LISTS } from '../lists/proxy/operator-lists.js';
import { NO_PROXY, type CanaryResult } from '../release/canaries.js';
import type { LocatedDataset } from '../datasets/dataset-folder.js';
import type { CompiledFile } from '../datasets/write-dataset.js';

/**
 * Returns the files of a dataset, with a failed proxy canary excused when the operator's own deny-list names its
 * address in `evidence.mmdb`. A public resolver that another list calls a proxy is an error; one that the operator
 * denies is intended.
 */
export async function withExcusedCanaries({ dir, files }: LocatedDataset): Promise<CompiledFile[]> {
  const isMade = files.some(({ file }) => file.name === EVIDENCE);
  const isWrong = files.some(({ examination }) => examination.canaries.some(isWrongProxy));
  if (!isMade || !isWrong) return [...files];
  const evidence = new Reader<SaidOf>(await readFile(join(dir, EVIDENCE)));
  const isDenied = (ip: string): boolean => evidence.get(ip)?.[OPERATOR_LISTS.id]?.type !== undefined;
  return files.map((made) => {
    const { file, examination } = made;
    if (!file.sources.includes(OPERATOR_LISTS.id)) return made;
    const canaries = examination.canaries.map((canary) =>
      isWrongProxy(canary) && isDenied(canary.ip) ? { ...canary, passed: true, excuse: EXCUSE } : canary,
    );
    return { file, examination: { ...examination, canaries } };
  });
}

const EVIDENCE = 'evidence.mmdb';
const EXCUSE = 'as own/deny-list.csv says';

/** A record of `evidence.mmdb`: what each list says, by its id. */
type SaidOf = Response & Readonly<Record<string, { readonly type?: string } | undefined>>;

function isWrongProxy({ passed, expected }: CanaryResult): boolean {
  return !passed && expected === NO_PROXY;
}

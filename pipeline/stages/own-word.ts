import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Reader, type Response } from 'maxmind';
import { OPERATOR_LISTS } from '../proxy/operator-lists.js';
import { NO_PROXY, type CanaryResult } from '../release/canaries.js';
import type { CompileResult } from './dataset-plan.js';
import type { CompiledFile } from './write-dataset.js';

/**
 * The files of a dataset, with canaries excused where the operator's deny-list itself names the address: a resolver that
 * lists call a proxy is somebody's mistake, one that the operator names is his will. `evidence.mmdb` knows who said it.
 */
export async function withOwnWord({ dir, files }: CompileResult): Promise<CompiledFile[]> {
  const isMade = files.some(({ file }) => file.name === EVIDENCE);
  const isWrong = files.some(({ examination }) => examination.canaries.some(isProxyAtFault));
  if (!isMade || !isWrong) return [...files];
  const evidence = new Reader<SaidOf>(await readFile(join(dir, EVIDENCE)));
  const isDenied = (ip: string): boolean => evidence.get(ip)?.[OPERATOR_LISTS.id]?.type !== undefined;
  return files.map((made) => {
    const { file, examination } = made;
    if (!file.sources.includes(OPERATOR_LISTS.id)) return made;
    const canaries = examination.canaries.map((canary) =>
      isProxyAtFault(canary) && isDenied(canary.ip) ? { ...canary, passed: true, excuse: EXCUSE } : canary,
    );
    return { file, examination: { ...examination, canaries } };
  });
}

const EVIDENCE = 'evidence.mmdb';
const EXCUSE = 'as own/deny-list.csv says';

/** What lists say, by their ids. */
type SaidOf = Response & Readonly<Record<string, { readonly type?: string } | undefined>>;

function isProxyAtFault({ passed, expected }: CanaryResult): boolean {
  return !passed && expected === NO_PROXY;
}

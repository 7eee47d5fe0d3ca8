import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { STDOUT } from '../export/block-writer.js';
import { openDataset, type Dataset } from '../export/dataset.js';
import { ExportError } from '../export/export-error.js';
import type { WrittenFile } from '../export/export-source.js';
import { FORMATS, type FormatName, type FormatOptions } from '../export/formats.js';
import { networksOf, type Filter } from '../export/networks.js';
import { deciderOf, parseCondition, type Condition } from '../export/where.js';
import type { Environment } from './environment.js';
import { exportProgress } from './export-progress.js';
import { findRelease } from './releases.js';
import { UsageError } from './usage-error.js';

/** Options of `ipatlas export`. */
export interface ExportFlags extends FormatOptions {
  readonly format: FormatName;
  readonly where?: readonly string[];
  readonly release?: string;
  readonly out?: string;
}

/** The written files, and the terms that they inherit. */
export interface Exported {
  readonly files: readonly WrittenFile[];
  readonly notice: readonly string[];
}

/** Exports a dataset. Throws UsageError for an invalid filter, and ExportError when the dataset does not fit. */
export async function exportDataset(
  name: string,
  flags: ExportFlags,
  environment: Environment,
): Promise<Exported> {
  if (flags.out === STDOUT && FORMATS[flags.format].extension.startsWith('-'))
    throw new UsageError(`--format ${flags.format} writes a folder: expected its path after -o, not -`);
  const conditions = (flags.where ?? []).map(requireCondition);
  const opened = await openDataset(await pathOf(name, flags.release, environment));
  const filters = await filtersOf(opened, conditions);
  const { write, extension, beside: besideName } = FORMATS[flags.format];
  const beside = await openBeside(opened, besideName);
  const used = [opened, ...filters.map(({ dataset }) => dataset), ...(beside ? [beside] : [])];
  const notice = [...new Set(used.flatMap(({ notice }) => notice))];
  const dataset = { ...opened, notice };
  const progress = exportProgress(basename(opened.path), environment);
  const out = flags.out ?? `${basename(opened.path, '.mmdb')}${extension}`;
  try {
    const networks = () => networksOf(opened, filters, progress.visited);
    const source = {
      dataset,
      networks,
      beside: beside && { dataset: beside, networks: () => networksOf(beside) },
    };
    return { files: await write(source, out, flags), notice };
  } finally {
    progress.end();
  }
}

/** Opens the dataset in the same folder that a format reads too, if there is one. */
async function openBeside(dataset: Dataset, name: string | undefined): Promise<Dataset | undefined> {
  if (name === undefined) return undefined;
  const path = join(dirname(dataset.path), name);
  return existsSync(path) ? openDataset(path) : undefined;
}

function requireCondition(text: string): Condition {
  try {
    return parseCondition(text);
  } catch (error) {
    if (error instanceof ExportError) throw new UsageError(error.message);
    throw error;
  }
}

async function pathOf(name: string, id: string | undefined, { outputDir }: Environment): Promise<string> {
  if (name.endsWith('.mmdb')) {
    if (id === undefined) return name;
    throw new UsageError(`--release ${id} needs the name of a dataset: expected geo, not ${name}`);
  }
  if (!/^([a-z0-9-]+\/)?[a-z0-9-]+$/.test(name))
    throw new UsageError(
      `invalid dataset "${name}": expected an .mmdb file, or a name like geo or download/geo`,
    );
  return join((await findRelease(outputDir, id)).dir, `${name}.mmdb`);
}

/** A condition is decided by the dataset itself, or by the one in its folder that has the property. */
async function filtersOf(dataset: Dataset, conditions: readonly Condition[]): Promise<Filter[]> {
  const opened = new Map<string, Dataset>();
  const filters: Filter[] = [];
  for (const condition of conditions) {
    const needed = deciderOf(dataset, condition.key);
    let decider = needed === undefined ? dataset : opened.get(needed);
    if (needed !== undefined && !decider) {
      decider = await openDataset(join(dirname(dataset.path), needed));
      opened.set(needed, decider);
    }
    filters.push({ dataset: decider!, condition });
  }
  return filters;
}

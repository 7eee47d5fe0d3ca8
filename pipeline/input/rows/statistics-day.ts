import { readPlain } from '../containers/containers.js';
import type { OpenFile } from '../published-source.js';

/**
 * Returns the last day that the statistics of a registry describe, in days since 1970, from the end date of the version
 * line (`2.3|lacnic|20240104|88619|19870101|20240104|-0300`). Returns undefined without such a line near the beginning
 * of the file, and for a date that does not exist. Reads only the beginning.
 */
export async function readStatisticsDay(file: OpenFile): Promise<number | undefined> {
  // The progress counts each byte once, when the records are read.
  for await (const bytes of readPlain({ ...file, onRead: () => undefined })) {
    const line = bytes.toString('latin1').split('\n').find(isVersionLine);
    return line === undefined ? undefined : dayOf(line.split('|')[END_DATE]!);
  }
  return undefined;
}

/** The field index of the end date in a version line. */
const END_DATE = 5;
const MS_PER_DAY = 86_400_000;

function isVersionLine(line: string): boolean {
  return /^2(?:\.\d)?\|(?:[^|]*\|){5}/.test(line);
}

function dayOf(text: string): number | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const isReal = !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day);
  return isReal ? date.getTime() / MS_PER_DAY : undefined;
}

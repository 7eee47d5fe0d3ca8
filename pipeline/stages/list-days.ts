import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ListTable } from '../lists/collect-list.js';

const listDaysSchema = z.strictObject({
  /** Days on which rows were last seen, in days since 1970, each once and in their order. */
  seen: z.array(z.int()),
  /** Whether some rows have no date of their own: theirs is the copy's. */
  isPartlyUndated: z.boolean(),
});

/** Raised with every change of what is kept of days: a reading of another version is not looked at. */
export const LIST_DAYS_VERSION = 1;

/** What a list knows about its own age: small, so that nobody has to load the list for it. */
export type ListDays = Readonly<z.infer<typeof listDaysSchema>>;

/** Writes the days of a list beside its table. */
export function writeListDays(dir: string, list: Pick<ListTable, 'claims' | 'asns'>): void {
  writeFileSync(join(dir, DAYS), JSON.stringify(daysOf(list)), { flush: true });
}

/** Reads what `writeListDays` wrote. Throws what the file system throws, SyntaxError or ZodError for another file. */
export function readListDays(dir: string): ListDays {
  return listDaysSchema.parse(JSON.parse(readFileSync(join(dir, DAYS), 'utf8')));
}

/** What is known besides what a list says itself, in days since 1970. */
export interface Calendar {
  readonly dayOfCopy: number;
  /** Day of the build. */
  readonly now: number;
}

/**
 * The day against which a list's ages are reckoned where nobody is live: the newest one that it knows, of those that
 * have come, since a slip in one row must not make all others old. A folder of old files is a night of its own.
 */
export function newestDay({ seen }: ListDays, { dayOfCopy, now }: Calendar): number {
  return seen.findLast((day) => day <= now) ?? dayOfCopy;
}

const DAYS = 'days.json';

function daysOf({ claims, asns }: Pick<ListTable, 'claims' | 'asns'>): ListDays {
  const seen = new Set<number>();
  let isPartlyUndated = false;
  for (const { lastSeen } of [...claims, ...asns.values()]) {
    if (lastSeen === undefined) isPartlyUndated = true;
    else seen.add(lastSeen);
  }
  return { seen: [...seen].sort((a, b) => a - b), isPartlyUndated };
}

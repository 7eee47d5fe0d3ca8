import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ListTable } from '../lists/collect-list.js';

const listDaysSchema = z.strictObject({
  /** Distinct days on which rows were last seen, in days since 1970, ascending. */
  seen: z.array(z.int()),
  /** Whether some rows have no date. The date of the copy applies to them. */
  isPartlyUndated: z.boolean(),
});

/** Raised with every change of this format. Cached inputs of other versions are ignored. */
export const LIST_DAYS_VERSION = 1;

/** The dates in a list. Stored in a small file, so that the age of a list is known without loading the list. */
export type ListDays = Readonly<z.infer<typeof listDaysSchema>>;

/** Writes the days of a list beside its table. */
export function writeListDays(dir: string, list: Pick<ListTable, 'claims' | 'asns'>): void {
  writeFileSync(join(dir, DAYS), JSON.stringify(daysOf(list)), { flush: true });
}

/** Reads the file of `writeListDays`. Throws file system errors, and SyntaxError or ZodError for any other content. */
export function readListDays(dir: string): ListDays {
  return listDaysSchema.parse(JSON.parse(readFileSync(join(dir, DAYS), 'utf8')));
}

/** The days of the copy and of the build, in days since 1970. */
export interface Calendar {
  readonly dayOfCopy: number;
  /** Day of the build. */
  readonly now: number;
}

/**
 * Returns the day that the ages of a list's rows are measured from, unless FEEDS=live: the newest day in the list that
 * is not in the future (one wrong date must not make all other rows old). So a folder of old files is judged by its own
 * time.
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

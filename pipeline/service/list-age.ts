import type { ListInput } from './service.js';

/** Whether a list's copy is too old to be believed. */
export function isOutdated({ day, today, maxAgeDays }: ListInput): boolean {
  return today - day > maxAgeDays;
}

import type { ListInput } from './service.js';

/** Whether a list could not be renewed for so long that it is believed no more. */
export function isOutdated({
  day,
  renewed = day,
  today,
  maxAgeDays,
}: Pick<ListInput, 'day' | 'renewed' | 'today' | 'maxAgeDays'>): boolean {
  return today - renewed > maxAgeDays;
}

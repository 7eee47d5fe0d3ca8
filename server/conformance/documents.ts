import { headingSlug } from '../openapi/markdown-table.js';
import type { Check, Rule } from './check.js';

/** The first line of a run. */
export const DOCUMENTS = 'endpoints are described in server/api.md, rules in server/decisions.md';

/** Returns a rule's sentence with its decisions: `… (decisions 39 and 40)`. */
export function describeRule({ name, decisions }: Rule): string {
  const first = decisions.slice(0, -1).join(', ');
  const last = decisions.at(-1) ?? '';
  return `${name} (${first === '' ? `decision ${last}` : `decisions ${first} and ${last}`})`;
}

/** Returns the sections of the documents that say what a check expects. */
export function linksOf(check: Check | Rule): readonly string[] {
  if ('decisions' in check) return check.decisions.map((number) => `server/decisions.md#decision-${number}`);
  return [`server/api.md#${headingSlug(check.name)}`];
}

import { entityWithRole, nameOf } from './entities.js';
import { fieldOf, listOf, textOf } from './untrusted-json.js';

/** Who holds it: the registrant's organisation, else its name; `''` where that is not said, or redacted. */
export function registrantOf(object: unknown): string {
  const registrant = entityWithRole(object, 'registrant');
  const redacted = redactedNamesOf(object);
  const organisation = redacted.has('registrant organization') ? '' : nameOf(registrant, ['org']);
  const name = redacted.has('registrant name') ? '' : nameOf(registrant, ['fn']);
  return [organisation, name].find((text) => text !== '' && !SAYS_REDACTED.test(text)) ?? '';
}

/** Whether it says who holds it, or that this is kept back; registries that know no holder do neither. */
export function tellsOfRegistrant(object: unknown): boolean {
  return (
    entityWithRole(object, 'registrant') !== undefined ||
    [...redactedNamesOf(object)].some((name) => name.includes('registrant'))
  );
}

/** What registries write in place of a name. */
const SAYS_REDACTED = /redacted|not disclosed|data protected|gdpr masked|statutory masking|withheld due to/i;

/** Names of redacted fields, lower case (RFC 9537 §4.2; registered ones are `Registrant Name` and so on). */
function redactedNamesOf(object: unknown): ReadonlySet<string> {
  const names = listOf(fieldOf(object, 'redacted')).map((entry) => {
    const name = fieldOf(entry, 'name');
    return textOf(fieldOf(name, 'type')) || textOf(fieldOf(name, 'description'));
  });
  return new Set(names.map((name) => name.toLowerCase()));
}

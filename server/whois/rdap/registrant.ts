import { saysRedacted } from '../redaction.js';
import { entityWithRole, nameOf } from './entities.js';
import { fieldOf, listOf, textOf } from './untrusted-json.js';

/** Who holds it: the registrant's organisation, else its name; `''` where that is not said, or redacted. */
export function registrantOf(object: unknown): string {
  const registrant = entityWithRole(object, 'registrant');
  const redacted = redactedNamesOf(object);
  const organisation = redacted.has('registrant organization') ? '' : nameOf(registrant, ['org']);
  const name = redacted.has('registrant name') ? '' : nameOf(registrant, ['fn']);
  return [organisation, name].find((text) => text !== '' && !saysRedacted(text)) ?? '';
}

/** Whether it says who holds it, or that this is kept back; registries that know no holder do neither. */
export function tellsOfRegistrant(object: unknown): boolean {
  return (
    entityWithRole(object, 'registrant') !== undefined ||
    [...redactedNamesOf(object)].some((name) => name.includes('registrant'))
  );
}

/** Names of redacted fields, lower case (RFC 9537 §4.2; registered ones are `Registrant Name` and so on). */
function redactedNamesOf(object: unknown): ReadonlySet<string> {
  const names = listOf(fieldOf(object, 'redacted')).map((entry) => {
    const name = fieldOf(entry, 'name');
    return textOf(fieldOf(name, 'type')) || textOf(fieldOf(name, 'description'));
  });
  return new Set(names.map((name) => name.toLowerCase()));
}

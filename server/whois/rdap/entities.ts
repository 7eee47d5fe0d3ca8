import { isRedacted } from '../redaction.js';
import { fieldOf, listOf, textOf } from './untrusted-json.js';

/**
 * Returns the first entity with a role (RFC 9083 §5.1), searching nested entities depth first. Undefined without one.
 */
export function entityWithRole(object: unknown, role: string): unknown {
  const waiting = [...entitiesOf(object)].reverse();
  for (let visited = 0; visited < MAX_VISITED && waiting.length > 0; visited++) {
    const entity = waiting.pop();
    const roles = listOf(fieldOf(entity, 'roles')).map((name) => textOf(name).toLowerCase());
    if (roles.includes(role)) return entity;
    waiting.push(...[...entitiesOf(entity)].reverse());
  }
  return undefined;
}

/** Returns the first non-empty of an entity's name properties, or `''`. */
export function nameOf(entity: unknown, properties: readonly ('fn' | 'org')[]): string {
  const rows = listOf(listOf(fieldOf(entity, 'vcardArray'))[1]);
  for (const property of properties) {
    for (const row of rows) {
      const [name, , , value] = listOf(row);
      const text = textOf(name).toLowerCase() === property ? firstText(value) : '';
      if (text !== '') return text;
    }
  }
  return '';
}

/** Returns an entity's first public id, or `''`. For a registrar it is IANA's number (RFC 9083 §4.8). */
export function publicIdOf(entity: unknown): string {
  const [first] = listOf(fieldOf(entity, 'publicIds'));
  return textOf(fieldOf(first, 'identifier'));
}

/** Returns the registrant's organisation, otherwise its name. `''` if both are missing or redacted. */
export function registrantOf(object: unknown): string {
  const registrant = entityWithRole(object, 'registrant');
  const redacted = redactedNamesOf(object);
  const organisation = redacted.has('registrant organization') ? '' : nameOf(registrant, ['org']);
  const name = redacted.has('registrant name') ? '' : nameOf(registrant, ['fn']);
  return [organisation, name].find((text) => text !== '' && !isRedacted(text)) ?? '';
}

/** Returns whether an object has a registrant or marks it as redacted. A thin domain registry's object does neither. */
export function hasRegistrantField(object: unknown): boolean {
  return (
    entityWithRole(object, 'registrant') !== undefined ||
    [...redactedNamesOf(object)].some((name) => name.includes('registrant'))
  );
}

/** Returns the names of redacted fields in lower case, such as `registrant name` (RFC 9537 §4.2). */
function redactedNamesOf(object: unknown): ReadonlySet<string> {
  const names = listOf(fieldOf(object, 'redacted')).map((entry) => {
    const name = fieldOf(entry, 'name');
    return textOf(fieldOf(name, 'type')) || textOf(fieldOf(name, 'description'));
  });
  return new Set(names.map((name) => name.toLowerCase()));
}

const MAX_VISITED = 2000;

function entitiesOf(object: unknown): readonly unknown[] {
  return listOf(fieldOf(object, 'entities'));
}

/** Returns the first text of a value. `org` may be a list of an organisation and its units (RFC 7095 §3.3.1.3). */
function firstText(value: unknown): string {
  return [value, ...listOf(value)].map(textOf).find((text) => text !== '') ?? '';
}

import { fieldOf, listOf, textOf } from './untrusted-json.js';

/** The first entity with a role (RFC 9083 §5.1), depth first, as entities hold entities; undefined without one. */
export function entityWithRole(object: unknown, role: string): unknown {
  const waiting = [...entitiesOf(object)].reverse();
  for (let looked = 0; looked < MAX_LOOKED_AT && waiting.length > 0; looked++) {
    const entity = waiting.pop();
    const roles = listOf(fieldOf(entity, 'roles')).map((name) => textOf(name).toLowerCase());
    if (roles.includes(role)) return entity;
    waiting.push(...[...entitiesOf(entity)].reverse());
  }
  return undefined;
}

/** A name of who an entity is: of the properties `fn` and `org` the first that says something. `''` without one. */
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

/** The first of its public ids, of a registrar IANA's number (RFC 9083 §4.8). `''` without one. */
export function publicIdOf(entity: unknown): string {
  const [first] = listOf(fieldOf(entity, 'publicIds'));
  return textOf(fieldOf(first, 'identifier'));
}

const MAX_LOOKED_AT = 2000;

function entitiesOf(object: unknown): readonly unknown[] {
  return listOf(fieldOf(object, 'entities'));
}

/** `org` may be a list, an organisation before its units (RFC 7095 §3.3.1.3). */
function firstText(value: unknown): string {
  return [value, ...listOf(value)].map(textOf).find((text) => text !== '') ?? '';
}

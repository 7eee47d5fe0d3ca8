import { readObject, type ObjectKind, type PeeringObject } from '../input/peeringdb/objects.js';
import type { Tally } from '../input/tally.js';

/** Objects of one kind by id, and the tally of their file. */
export interface ObjectsOf<Kind extends ObjectKind> {
  readonly byId: Map<number, PeeringObject<Kind>>;
  readonly tally: Tally | undefined;
}

/** Objects of all kinds. */
export type PeeringObjects = { readonly [Kind in ObjectKind]: ObjectsOf<Kind> };

/**
 * Adds an object and counts it. `position` is its number in its list. Objects with a status other than `ok` (not yet
 * approved, deleted) are skipped.
 */
export function addObject<Kind extends ObjectKind>(
  kind: Kind,
  objects: Pick<ObjectsOf<Kind>, 'byId'>,
  { value, position, tally }: { readonly value: unknown; readonly position: number; readonly tally: Tally },
): void {
  const read = readObject(kind, value);
  if ('excerpt' in read) {
    tally.reject('json', position, read.excerpt);
    return;
  }
  tally.accept();
  if ('isSkipped' in read) tally.note('skipped');
  else if (objects.byId.has(read.object.id)) tally.note('duplicate');
  else objects.byId.set(read.object.id, read.object);
}

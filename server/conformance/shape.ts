/**
 * How a JSON value has to look: a type, several with `|` between, a list of one shape, or an object's keys. A key that
 * ends in `?` may be absent; others than these may not be there: a documented shape never changes.
 */
export type Shape = string | readonly [Shape] | { readonly [key: string]: Shape };

/** Everything about a value that does not fit, as `data.asn: string is no integer|null`; empty when all does. */
export function misfits(value: unknown, shape: Shape, path = 'body'): string[] {
  if (typeof shape === 'string') {
    return shape.split('|').some((type) => isA(type, value))
      ? []
      : [`${path}: ${describe(value)} is no ${shape}`];
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${path}: ${describe(value)} is no list`];
    return value.flatMap((entry, i) => misfits(entry, shape[0], `${path}[${i}]`));
  }
  if (!isObject(value)) return [`${path}: ${describe(value)} is no object`];
  return [...missing(value, shape, path), ...present(value, shape, path)];
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function missing(value: object, shape: Readonly<Record<string, Shape>>, path: string): string[] {
  const needed = Object.keys(shape).filter((key) => !key.endsWith('?'));
  return needed.filter((key) => !(key in value)).map((key) => `${path}.${key} is missing`);
}

function present(value: object, shape: Readonly<Record<string, Shape>>, path: string): string[] {
  return Object.entries(value).flatMap(([key, entry]: [string, unknown]) => {
    const known = shape[key] ?? shape[`${key}?`];
    return known === undefined
      ? [`${path}.${key} is not documented`]
      : misfits(entry, known, `${path}.${key}`);
  });
}

function isA(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'object':
      return isObject(value);
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d))?$/.test(value);
    default:
      return typeof value === type;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60);
}

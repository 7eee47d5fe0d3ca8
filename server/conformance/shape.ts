/**
 * The expected shape of a JSON value: a type, alternatives separated by `|`, an array of one shape, or the keys of an
 * object. A key that ends in `?` is optional. Further keys are not allowed, because documented shapes never change.
 */
export type Shape = string | readonly [Shape] | { readonly [key: string]: Shape };

/** Returns all mismatches, such as `data.asn: expected integer|null, found "x"`. Empty if the value has the shape. */
export function mismatches(value: unknown, shape: Shape, path = 'body'): string[] {
  if (typeof shape === 'string') {
    return shape.split('|').some((type) => isA(type, value))
      ? []
      : [`${path}: expected ${shape}, found ${describe(value)}`];
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${path}: expected an array, found ${describe(value)}`];
    return value.flatMap((entry, i) => mismatches(entry, shape[0], `${path}[${i}]`));
  }
  if (!isObject(value)) return [`${path}: expected an object, found ${describe(value)}`];
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
      : mismatches(entry, known, `${path}.${key}`);
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

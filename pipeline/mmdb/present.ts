/** A record under construction: the same fields, writable. For hot loops, where a copy per field is too slow. */
export type Draft<T> = { -readonly [Field in keyof T]: T[Field] };

/** The same fields; those that may be `undefined` become optional. */
export type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns a copy of the object without the fields that are `undefined`. Records of MMDB files are built with it. */
export function present<T extends object>(fields: T): Present<T> {
  const kept: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as Present<T>;
}

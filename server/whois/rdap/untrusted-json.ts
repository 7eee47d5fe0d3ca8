/** Returns an object's own property, or undefined for any other value. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** Returns the first entries of an array, or none for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ENTRIES) : [];
}

/** Returns a string as one trimmed line, or `''` for any other value. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value
    .slice(0, MAX_TEXT)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Limits of entries and characters. Real answers stay below them. */
const MAX_ENTRIES = 1000;
const MAX_TEXT = 1000;

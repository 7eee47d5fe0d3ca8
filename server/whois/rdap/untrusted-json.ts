/** The own property of an object; undefined for everything else, whatever the value is. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** The first entries of an array; none of everything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ENTRIES) : [];
}

/** A line of text without white space at its ends; `''` for everything else. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value
    .slice(0, MAX_TEXT)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** No registry's answer has more in one place. */
const MAX_ENTRIES = 1000;
const MAX_TEXT = 1000;

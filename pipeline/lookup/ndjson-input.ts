import { parseJson } from '../text/parse-json.js';
import { LookupInputError, type LineInput, type Span } from './line-input.js';
import { bytesOf } from './notation.js';

/** Lines of JSON objects with an address in a field. */
export class NdjsonInput implements LineInput {
  readonly kind = 'ndjson';
  source = '';
  start = 0;
  end = 0;
  readonly #path: readonly string[];
  readonly #names: readonly string[];
  /** Undefined when the line is not an object. */
  #object: object | undefined;

  constructor(
    /** The path of the field, with dots between levels. */
    field: string,
    /** The names of the added fields. */
    names: readonly string[],
  ) {
    this.#path = bytesOf(field).split('.');
    this.#names = names.map(bytesOf);
  }

  recordEnd(text: string, from: number): number {
    return text.indexOf('\n', from);
  }

  isHeader(): boolean {
    return false;
  }

  read(text: string, from: number, to: number): boolean {
    const value = parseJson(text.slice(from, to));
    this.#object = isObject(value) ? value : undefined;
    let found: unknown = value;
    for (const key of this.#path)
      found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    this.source = typeof found === 'string' ? found : '';
    this.start = 0;
    this.end = this.source.length;
    return this.end > 0;
  }

  /** A line that is not an object stays as it is. Throws LookupInputError when the object has one of the names. */
  extend(text: string, { from, to }: Span, fields: string): string {
    const object = this.#object;
    if (object === undefined) return text.slice(from, to);
    const taken = this.#names.find((name) => Object.hasOwn(object, name));
    if (taken !== undefined)
      throw new LookupInputError(
        `the input has a field "${taken}" already: choose other names with --prefix`,
      );
    const end = text.lastIndexOf('}', to - 1);
    const comma = Object.keys(object).length === 0 ? '' : ',';
    return `${text.slice(from, end)}${comma}${fields}}`;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

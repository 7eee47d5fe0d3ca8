import { z } from 'zod';
import { Failure } from '../failure.js';

/** Chosen fields of an object by key: the whole field, or the chosen fields in it. */
export type FieldChoice = ReadonlyMap<string, FieldChoice | 'whole'>;

/** The parameter `fields` of an endpoint, and the names that it allows (decision 80). */
export class FieldNames {
  readonly #names: readonly string[];

  constructor(
    /** The data of the answer. For a list the names are those of its elements. */
    data: z.ZodType,
  ) {
    this.#names = namesIn(data, '');
  }

  /** Returns the schema of the parameter. Names are checked by `choose`, so calls without it cost nothing more. */
  get schema(): z.ZodOptional<z.ZodString> {
    return z
      .string()
      .optional()
      .meta({
        type: 'array',
        items: { type: 'string', enum: this.#names },
        description: 'Fields to return, with dots between levels: `country_code,bgp.as`; all by default',
      });
  }

  /** Parses the parameter. Returns undefined for the whole answer. Throws Failure(400) with the first unknown name. */
  choose(text: string | undefined): FieldChoice | undefined {
    if (text === undefined || text === '') return undefined;
    const choice: MutableChoice = new Map();
    for (const name of text.split(',')) {
      if (!this.#names.includes(name)) throw unknownField(name);
      add(choice, name.split('.'));
    }
    return choice;
  }
}

type MutableChoice = Map<string, MutableChoice | 'whole'>;

/** Returns the dotted names of all fields in a schema. The elements of a list add no level. */
function namesIn(schema: z.core.$ZodType, above: string): string[] {
  if (schema instanceof z.ZodArray) return namesIn(schema.element, above);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as z.core.$ZodShape).flatMap(([key, field]) => [
    above + key,
    ...namesIn(field, `${above}${key}.`),
  ]);
}

function add(choice: MutableChoice, [key, ...rest]: readonly string[]): void {
  if (key === undefined) return;
  const known = choice.get(key);
  if (known === 'whole') return;
  if (rest.length === 0) {
    choice.set(key, 'whole');
    return;
  }
  const inner: MutableChoice = known ?? new Map<string, MutableChoice | 'whole'>();
  choice.set(key, inner);
  add(inner, rest);
}

/** Characters of an unknown name that are shown. */
const SHOWN_CHARACTERS = 64;

function unknownField(name: string): Failure {
  const shown = name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name;
  return new Failure(
    400,
    `unknown name ${JSON.stringify(shown)} in \`fields\`: expected names that /openapi.json lists for the parameter, comma-separated`,
  );
}

/** Returns a value with the chosen fields only, in the order of the value. Of a list, those of each element. */
export function pickFields(value: unknown, choice: FieldChoice): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => pickFields(one, choice));
  if (typeof value !== 'object' || value === null) return value;
  const picked: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    const inner = choice.get(key);
    if (inner !== undefined) picked[key] = inner === 'whole' ? field : pickFields(field, inner);
  }
  return picked;
}

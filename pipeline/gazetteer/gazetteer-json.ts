import { z } from 'zod';
import { Gazetteer } from './gazetteer.js';

/** A gazetteer as one JSON document. Equal gazetteers give equal text. */
export function toJson(gazetteer: Gazetteer): string {
  const { continents, regions, places } = gazetteer.content;
  return JSON.stringify({
    schema: SCHEMA,
    continents: [...continents]
      .sort((a, b) => compare(a.code, b.code))
      .map(({ code, names }) => ({ code, names: orderedNames(names) })),
    regions: [...regions]
      .sort((a, b) => compare(a.code, b.code))
      .map(({ code, country, id, names }) => ({ code, country, id, names: orderedNames(names) })),
    places: [...places]
      .sort((a, b) => a.id - b.id)
      .map(({ id, kind, continent, country, region, names, timeZone }) => ({
        id,
        kind,
        continent,
        country,
        region,
        names: orderedNames(names),
        timeZone,
      })),
  });
}

/** Reads what `toJson` wrote. Throws SyntaxError for text that is no JSON and ZodError for another document. */
export function fromJson(json: string): Gazetteer {
  const document: unknown = JSON.parse(json);
  return new Gazetteer(gazetteerSchema.parse(document));
}

const SCHEMA = 1;

const namesSchema = z.strictObject({ en: z.string().optional(), 'zh-CN': z.string().optional() });
const countrySchema = z.string().regex(/^[A-Z]{2}$/);
const regionSchema = z.string().regex(/^[A-Z]{2}-[A-Z0-9]{1,3}$/);
const idSchema = z.int().positive();

const gazetteerSchema = z.strictObject({
  schema: z.literal(SCHEMA),
  continents: z.array(z.strictObject({ code: z.string().length(2), names: namesSchema })),
  regions: z.array(
    z.strictObject({
      code: regionSchema,
      country: countrySchema,
      id: idSchema.optional(),
      names: namesSchema,
    }),
  ),
  places: z.array(
    z.strictObject({
      id: idSchema,
      kind: z.enum(['country', 'region', 'city']),
      continent: z.string().length(2),
      country: countrySchema,
      region: regionSchema.optional(),
      names: namesSchema,
      timeZone: z.string().optional(),
    }),
  ),
});

function orderedNames(names: { readonly en?: string | undefined; readonly 'zh-CN'?: string | undefined }) {
  return { en: names.en, 'zh-CN': names['zh-CN'] };
}

/** By code unit, whatever the locale of the machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

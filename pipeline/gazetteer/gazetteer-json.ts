import { z } from 'zod';
import { Gazetteer } from './gazetteer.js';
import type { PlaceNames } from './place.js';

/** Returns a gazetteer as one JSON document. Equal gazetteers give equal text. */
export function toJson(gazetteer: Gazetteer): string {
  const { continents, regions, places, areas = [] } = gazetteer.content;
  return JSON.stringify({
    schema: SCHEMA,
    continents: [...continents]
      .sort((a, b) => compare(a.code, b.code))
      .map(({ code, names }) => ({ code, names: orderedNames(names) })),
    regions: [...regions]
      .sort((a, b) => compare(a.code, b.code))
      .map(({ code, country, id, names, alternates }) => {
        return { code, country, id, names: orderedNames(names), alternates };
      }),
    places: [...places]
      .sort((a, b) => a.id - b.id)
      .map((place) => {
        const { id, kind, continent, country, region, names, alternates } = place;
        const { latitude, longitude, timeZone, population, isSection } = place;
        const called = { names: orderedNames(names), alternates };
        return {
          id,
          kind,
          continent,
          country,
          region,
          ...called,
          latitude,
          longitude,
          timeZone,
          population,
          isSection,
        };
      }),
    areas: [...areas]
      .sort((a, b) => compare(a.code, b.code))
      .map(({ code, latitude, longitude, radiusKm, timeZone }) => {
        return { code, latitude, longitude, radiusKm, timeZone };
      }),
  });
}

/** Reads a document of `toJson`. Throws SyntaxError for invalid JSON and ZodError for another document. */
export function fromJson(json: string): Gazetteer {
  const document: unknown = JSON.parse(json);
  return new Gazetteer(gazetteerSchema.parse(document));
}

const SCHEMA = 3;

const namesSchema = z.strictObject({ en: z.string().optional(), 'zh-CN': z.string().optional() });
const alternatesSchema = z.array(z.string()).optional();
const countrySchema = z.string().regex(/^[A-Z]{2}$/);
const regionSchema = z.string().regex(/^[A-Z]{2}-[A-Z0-9]{1,3}$/);
const idSchema = z.int().positive();
const latitudeSchema = z.number().min(-90).max(90).optional();
const longitudeSchema = z.number().min(-180).max(180).optional();

const gazetteerSchema = z.strictObject({
  schema: z.literal(SCHEMA),
  continents: z.array(z.strictObject({ code: z.string().length(2), names: namesSchema })),
  regions: z.array(
    z.strictObject({
      code: regionSchema,
      country: countrySchema,
      id: idSchema.optional(),
      names: namesSchema,
      alternates: alternatesSchema,
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
      alternates: alternatesSchema,
      latitude: latitudeSchema,
      longitude: longitudeSchema,
      timeZone: z.string().optional(),
      population: z.int().nonnegative().optional(),
      isSection: z.literal(true).optional(),
    }),
  ),
  areas: z.array(
    z.strictObject({
      code: z.union([countrySchema, regionSchema]),
      latitude: latitudeSchema,
      longitude: longitudeSchema,
      radiusKm: z.int().positive().max(65_535).optional(),
      timeZone: z.string().optional(),
    }),
  ),
});

function orderedNames(names: PlaceNames): PlaceNames {
  return { en: names.en, 'zh-CN': names['zh-CN'] };
}

/** Compares by code unit, independent of the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

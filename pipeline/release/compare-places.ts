import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { compareIpv4Fields, type ComparedField, type FieldComparison } from '../mmdb/ipv4-pairs.js';
import type { CountryPlaceChanges, PlaceFigures } from './place-changes.js';

/**
 * Compares the places of the IPv4 addresses in two `geo.mmdb` files: country, region and city. Names, coordinates,
 * confidence and the feeds that agree are not compared. Throws MmdbError for files that cannot be read, and ZodError for
 * records of another form.
 */
export async function comparePlaces(before: string, after: string): Promise<PlaceFigures> {
  const files = [await readFile(before), await readFile(after)] as const;
  const countries = new Map<string, Counted>();
  let removed = 0;
  const visit: FieldComparison['visit'] = (old, now, ipv4Addresses) => {
    if (now === undefined) {
      removed += ipv4Addresses;
      return;
    }
    const [country] = now as [string];
    const sums = countries.get(country) ?? { ipv4Addresses: 0, gained: 0, changed: 0 };
    countries.set(country, sums);
    sums.ipv4Addresses += ipv4Addresses;
    if (old?.[0] !== country) sums.gained += ipv4Addresses;
    else if (old.some((text, field) => text !== now[field])) sums.changed += ipv4Addresses;
  };
  compareIpv4Fields(files, { fields: PLACE, visit });
  const named = [...countries].map(([country, sums]) => [country || NO_COUNTRY, sums] as const);
  return { removed, countries: sorted(named) };
}

/** Returns the figures of an unchanged file. `coverageByCountry` is that of the manifest. */
export function unchangedPlaces(
  coverageByCountry: Readonly<Record<string, { readonly ipv4Addresses: number }>>,
): PlaceFigures {
  const located = Object.entries(coverageByCountry).filter(([, { ipv4Addresses }]) => ipv4Addresses > 0);
  return {
    removed: 0,
    countries: sorted(
      located.map(([country, { ipv4Addresses }]) => [country, { ipv4Addresses, gained: 0, changed: 0 }]),
    ),
  };
}

type Counted = { -readonly [K in keyof CountryPlaceChanges]: number };

const NO_COUNTRY = 'none';

/** A part of a place: by its id or code, else by its name. */
const partSchema = z.looseObject({
  geoname_id: z.number().optional(),
  iso_code: z.string().optional(),
  names: z.looseObject({ en: z.string().optional() }).optional(),
});

type Part = z.infer<typeof partSchema>;
const codeOf = ({ iso_code, names }: Part): string => iso_code ?? names?.en ?? '';
const idOf = ({ geoname_id, names }: Part): string => String(geoname_id ?? names?.en ?? '');

/** The fields of a record that are its place. */
const PLACE: readonly ComparedField[] = [
  { name: 'country', textOf: (value) => partSchema.parse(value).iso_code ?? '' },
  {
    name: 'subdivisions',
    textOf: (value) => z.array(partSchema).parse(value).map(codeOf).join('/'),
  },
  { name: 'city', textOf: (value) => idOf(partSchema.parse(value)) },
];

/** Sorts by country, so that equal figures are equal bytes. */
function sorted(countries: readonly (readonly [string, CountryPlaceChanges])[]): PlaceFigures['countries'] {
  return Object.fromEntries([...countries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

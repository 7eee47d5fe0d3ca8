/** An example record. No two records share an object, even where their parts are equal. */
export type ExampleRecord = Readonly<Record<string, unknown>>;

const LANGUAGES = ['de', 'en', 'es', 'fr', 'ja', 'pt-BR', 'ru', 'zh-CN'] as const;
const SPELLINGS: Readonly<Record<(typeof LANGUAGES)[number], string>> = {
  de: 'Ort',
  en: 'Place',
  es: 'Lugar',
  fr: 'Lieu',
  ja: '場所',
  'pt-BR': 'Local',
  ru: 'Место',
  'zh-CN': '地方',
};

/**
 * Creates distinct records like those of GeoIP2 City, about 1.07 kB of JSON each: a city per record, one of 3,000
 * regions, one of 250 countries, names in eight languages, and mostly distinct coordinates. Keys are sorted, as Perl's
 * writer stores them.
 */
export function exampleRecords(count: number): ExampleRecord[] {
  // Parsed from JSON: concatenated strings would be flattened by their first reader, inside the measured time.
  return Array.from({ length: count }, (_, i) => JSON.parse(JSON.stringify(recordOf(i))) as ExampleRecord);
}

function recordOf(index: number): ExampleRecord {
  const region = index % 3000;
  const country = region % 250;
  return {
    city: { geoname_id: 1_000_000 + index, names: namesOf(`A${index}`) },
    continent: {
      code: ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'][country % 7],
      geoname_id: 6_255_146 + (country % 7),
      names: namesOf(`D${country % 7}`),
    },
    country: countryOf(country),
    location: {
      accuracy_radius: [1, 5, 10, 20, 50, 100, 200, 500, 1000][index % 9],
      latitude: Math.round(((index * 7919) % 1_800_000) - 900_000) / 1e4,
      longitude: Math.round(((index * 104_729) % 3_600_000) - 1_800_000) / 1e4,
      time_zone: `Region/Zone_${region % 400}`,
    },
    registered_country: countryOf(country),
    subdivisions: [
      {
        geoname_id: 500_000 + region,
        iso_code: `R${region % 100}`,
        names: namesOf(`B${region}`),
      },
    ],
  };
}

function countryOf(country: number): ExampleRecord {
  const letters = [country % 26, Math.floor(country / 26)].map((i) => String.fromCharCode(65 + i));
  return {
    geoname_id: 100_000 + country,
    iso_code: letters.join(''),
    names: namesOf(`C${country}`),
  };
}

/** `name` begins with a letter that distinguishes cities, regions, countries and continents. */
function namesOf(name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, `${SPELLINGS[language]} ${name}`]));
}

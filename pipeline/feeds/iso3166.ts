/** Continents as GeoNames codes them. */
export const CONTINENTS = ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'] as const;
export type Continent = (typeof CONTINENTS)[number];

/**
 * An ISO 3166-1 alpha-2 code, upper case, out of a feed's spelling of it. XK is accepted, UK becomes GB. Absent when
 * the text names no country (see `namesNoCountry`) or is no country code.
 */
export function parseCountry(text: string): string | undefined {
  const code = text.toUpperCase();
  if (continentByCountry.has(code)) return code;
  return code === 'UK' ? 'GB' : undefined;
}

/** The feed says that it knows no single country: empty, or a code for a region, an anonymous or unknown network. */
export function namesNoCountry(text: string): boolean {
  return NO_COUNTRY.has(text.toUpperCase());
}

/** The continent GeoNames files a country under; absent when `country` is no ISO 3166-1 alpha-2 code. */
export function continentOf(country: string): Continent | undefined {
  return continentByCountry.get(country);
}

/** Every country code that is accepted, in alphabetic order. */
export function countryCodes(): string[] {
  return [...continentByCountry.keys()].sort();
}

/** AP and EU are registry regions, A1 and A2 MaxMind's anonymous and satellite networks, O1 its "other". */
const NO_COUNTRY: ReadonlySet<string> = new Set(['', 'EU', 'AP', 'ZZ', 'A1', 'A2', 'O1']);

/** The 249 codes of ISO 3166-1 and XK by GeoNames continent. */
const COUNTRIES: Readonly<Record<Continent, string>> = {
  AF:
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA ' +
    'NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  AN: 'AQ BV GS HM TF',
  AS:
    'AE AF AM AZ BD BH BN BT CC CN GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP ' +
    'OM PH PK PS QA SA SG SY TH TJ TM TR TW UZ VN YE',
  EU:
    'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME ' +
    'MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK',
  NA:
    'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC ' +
    'TT US VC VG VI',
  OC: 'AS AU CK CX FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TL TO TV UM VU WF WS',
  SA: 'AR BO BR CL CO EC FK GF GY PE PY SR UY VE',
};

const continentByCountry: ReadonlyMap<string, Continent> = new Map(
  CONTINENTS.flatMap((continent) =>
    COUNTRIES[continent].split(' ').map((country) => [country, continent] as const),
  ),
);

/** The GeoNames codes of the continents. */
export const CONTINENTS = ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'] as const;
export type Continent = (typeof CONTINENTS)[number];

/**
 * Returns the ISO 3166-1 alpha-2 code in upper case for the code of a feed. Accepts XK; UK becomes GB. Returns
 * undefined when the text is not a country code, or is a code for no country (see `namesNoCountry`).
 */
export function parseCountry(text: string): string | undefined {
  const code = text.toUpperCase();
  if (continentByCountry.has(code)) return code;
  return code === 'UK' ? 'GB' : undefined;
}

/** Whether a country field names no single country: empty, or a code for a group of countries or an unknown network. */
export function namesNoCountry(text: string): boolean {
  return NO_COUNTRY.has(text.toUpperCase());
}

/** Returns the GeoNames continent of a country. Returns undefined when `country` is not an ISO 3166-1 alpha-2 code. */
export function continentOf(country: string): Continent | undefined {
  return continentByCountry.get(country);
}

/**
 * Whether a country has regions (ISO 3166-2 subdivisions). Hong Kong and Macao have none: ISO 3166-2 defines no
 * subdivisions of HK and MO and lists both only as subdivisions of China (CN-HK, CN-MO). Their districts have codes or
 * names in some feeds, which are ignored. Taiwan has subdivisions of its own (TW-TPE) besides CN-TW.
 */
export function hasRegions(country: string): boolean {
  return country !== 'HK' && country !== 'MO';
}

/** Returns every accepted country code in alphabetical order. */
export function countryCodes(): string[] {
  return [...continentByCountry.keys()].sort();
}

/** AP and EU are registry areas; A1, A2 and O1 are MaxMind's anonymous, satellite and other networks. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['', 'EU', 'AP', 'ZZ', 'A1', 'A2', 'O1']);

/** The 249 codes of ISO 3166-1, and XK, by GeoNames continent. */
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

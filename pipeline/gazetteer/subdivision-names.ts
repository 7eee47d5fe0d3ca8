import { isoSubdivisions } from '../input/names/iso3166-2.js';
import { foldName } from './place-name.js';

/** A subdivision of ISO 3166-2. */
export interface Subdivision {
  readonly code: string;
  readonly country: string;
  /** In a language of the country, romanised. */
  readonly name: string;
  /** The code of the subdivision that contains it; absent for first-level subdivisions. */
  readonly parent: string | undefined;
}

/** Returns every subdivision of ISO 3166-2 except those with an ISO 3166-1 code (CN-HK, FR-GP, US-PR). */
export function subdivisions(): Subdivision[] {
  return isoSubdivisions()
    .filter(({ code }) => !COUNTRIES_TOO.test(code))
    .map(({ code, name, parent }) => {
      const country = code.slice(0, 2);
      return { code, country, name: inReadingOrder(name), parent: parent === country ? undefined : parent };
    });
}

/** Returns English names that cannot be derived from the standard's names by folding, by ISO 3166-2 code. */
export function englishNamesOf(code: string): readonly string[] {
  return ENGLISH_NAMES[code]?.split(', ') ?? [];
}

/**
 * Returns the folded name without words for a kind of subdivision (`amur` for `Amurskaya oblast'` and `Amur Oblast`),
 * for names without an exact match. Two subdivisions may share a stem (Moscow and its oblast).
 */
export function stemOf(name: string): string {
  const words = name
    .replace(/\([^)]*\)/g, ' ')
    .split(/[\s\-–,./]+/)
    .map((word) => foldName(word).replace(ADJECTIVE, ''))
    .filter((word) => word !== '');
  const own = words.filter((word) => !KINDS.has(word));
  return (own.length === 0 ? words : own).join('');
}

const COUNTRIES_TOO =
  /^(CN-(HK|MO|TW)|FR-(GP|MQ|GF|RE|YT|BL|MF|NC|PF|PM|TF|WF|97\d)|US-(AS|GU|MP|PR|UM|VI)|NL-(AW|CW|SX|BQ\d)|NO-2\d|FI-01)$/;

/** Endings of Slavic adjectives that mean "of". */
const ADJECTIVE = /(?<=.{4})sk(?:aya|aja|a|iy|ij|yy|oye|y)$/;

const KINDS: ReadonlySet<string> = new Set(
  (
    'province provincia provincie prefecture department departamento departement region regione regiao rayon raion ' +
    'oblast oblysy oblasti krai kray kraj republic respublika republika republiken okrug avtonomnyy avtonomnaya ' +
    'autonomous district distrikt distrito county municipality municipio state estado city governorate muhafazat ' +
    'wilaya wilayat vilayet viloyati viloyat parish canton judetul lan fylke ken fu sheng shi zizhiqu sar si do ' +
    'gwangyeoksi teukbyeolsi teukbyeoljachido teukbyeoljachisi comunidad principado foral voivodeship wojewodztwo ' +
    'de of the del da di la el al division special capital territory area marz apskritis megye zupanija obcina ' +
    'opstina changwat khoueng zizhizhou mikroregion entity emirate'
  ).split(' '),
);

/** `Asturias, Principado de` is Principado de Asturias. */
function inReadingOrder(name: string): string {
  const comma = name.indexOf(', ');
  return comma < 0 ? name : `${name.slice(comma + 2)} ${name.slice(0, comma)}`;
}

const ENGLISH_NAMES: Readonly<Record<string, string>> = {
  'AT-1': 'Burgenland',
  'AT-2': 'Carinthia',
  'AT-3': 'Lower Austria',
  'AT-4': 'Upper Austria',
  'AT-6': 'Styria',
  'AT-7': 'Tyrol',
  'AT-9': 'Vienna',
  'BE-BRU': 'Brussels Capital, Brussels',
  'BE-VLG': 'Flanders',
  'BE-WAL': 'Wallonia',
  'CN-NM': 'Inner Mongolia, Inner Mongolia Autonomous Region',
  'CN-XZ': 'Tibet',
  'CZ-10': 'Prague',
  'CZ-20': 'Central Bohemia',
  'CZ-31': 'South Bohemian',
  'CZ-64': 'South Moravian',
  'CZ-80': 'Moravskoslezsky',
  'DE-BY': 'Bavaria',
  'DE-HE': 'Hesse',
  'DE-MV': 'Mecklenburg-Western Pomerania',
  'DE-NI': 'Lower Saxony',
  'DE-NW': 'North Rhine-Westphalia',
  'DE-RP': 'Rhineland-Palatinate',
  'DE-SN': 'Saxony',
  'DE-ST': 'Saxony-Anhalt',
  'DE-TH': 'Thuringia',
  'DK-81': 'North Denmark, Nordjylland',
  'DK-82': 'Central Jutland, Midtjylland',
  'DK-83': 'South Denmark, Syddanmark',
  'DK-84': 'Capital Region, Hovedstaden',
  'DK-85': 'Zealand, Sjælland',
  'EG-ALX': 'Alexandria',
  'EG-C': 'Cairo',
  'EG-GZ': 'Giza',
  'ES-AN': 'Andalusia',
  'ES-CN': 'Canary Islands, Canaries',
  'ES-CT': 'Catalonia',
  'ES-IB': 'Balearic Islands',
  'ES-NC': 'Navarre',
  'ES-PV': 'Basque Country',
  'ES-VC': 'Valencia',
  'FI-18': 'Uusimaa',
  'FR-20R': 'Corsica',
  'FR-BRE': 'Brittany',
  'FR-NOR': 'Normandy',
  'GR-I': 'Attica',
  'GR-B': 'Central Macedonia',
  'ID-JB': 'West Java',
  'ID-JI': 'East Java',
  'ID-JK': 'Jakarta',
  'ID-JT': 'Central Java',
  'ID-SN': 'South Sulawesi',
  'ID-SU': 'North Sumatra',
  'ID-SB': 'West Sumatra',
  'ID-SS': 'South Sumatra',
  'ID-KR': 'Riau Islands',
  'ID-KB': 'West Kalimantan',
  'ID-KI': 'East Kalimantan',
  'ID-KS': 'South Kalimantan',
  'ID-KT': 'Central Kalimantan',
  'ID-NB': 'West Nusa Tenggara',
  'ID-NT': 'East Nusa Tenggara',
  'ID-BB': 'Bangka–Belitung Islands',
  'IT-23': 'Aosta Valley',
  'IT-25': 'Lombardy',
  'IT-21': 'Piedmont',
  'IT-52': 'Tuscany',
  'IT-62': 'Latium',
  'IT-75': 'Apulia',
  'IT-82': 'Sicily',
  'IT-88': 'Sardinia',
  'KZ-27': 'West Kazakhstan',
  'KZ-59': 'North Kazakhstan',
  'KZ-63': 'East Kazakhstan',
  'KZ-75': 'Almaty',
  'MX-CMX': 'Mexico City',
  'MX-MEX': 'México',
  'NL-NB': 'North Brabant',
  'NL-NH': 'North Holland',
  'NL-ZH': 'South Holland',
  'PE-LIM': 'Lima region',
  'PE-LMA': 'Lima Province',
  'PH-00': 'Metro Manila',
  'PL-02': 'Lower Silesia',
  'PL-04': 'Kujawsko-Pomorskie',
  'PL-10': 'Łódź Voivodeship',
  'PL-12': 'Lesser Poland',
  'PL-14': 'Mazovia',
  'PL-18': 'Subcarpathia',
  'PL-22': 'Pomerania',
  'PL-24': 'Silesia',
  'PL-26': 'Świętokrzyskie',
  'PL-28': 'Warmia-Masuria',
  'PL-30': 'Greater Poland',
  'PL-32': 'West Pomerania',
  'PT-11': 'Lisbon',
  'PT-20': 'Azores',
  'RO-B': 'Bucharest',
  'RU-CE': 'Chechnya',
  'RU-KAM': 'Kamchatka',
  'RU-KEM': 'Kuzbass',
  'RU-KO': 'Komi',
  'RU-LEN': 'Leningrad Oblast',
  'RU-MOS': 'Moscow Oblast',
  'RU-MOW': 'Moscow',
  'RU-ORL': 'Oryol Oblast',
  'RU-PRI': 'Primorye',
  'RU-SE': 'North Ossetia–Alania, North Ossetia',
  'RU-SPE': 'St.-Petersburg, Saint Petersburg, St Petersburg',
  'RU-YEV': 'Jewish Autonomous Oblast',
  'SE-M': 'Skåne',
  'SE-O': 'Västra Götaland',
  'TH-10': 'Bangkok',
  'TR-34': 'Istanbul',
  'TW-CYI': 'Chiayi City',
  'TW-CYQ': 'Chiayi County',
  'TW-HSQ': 'Hsinchu County',
  'TW-HSZ': 'Hsinchu City',
  'UA-30': 'Kyiv City, Kiev, Kyiv',
  'UA-32': 'Kyiv Oblast',
  'VN-HN': 'Hanoi',
  'VN-SG': 'Ho Chi Minh, Ho Chi Minh City',
};

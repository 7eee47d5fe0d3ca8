import {
  ACTIVITIES,
  BUILDINGS,
  DOTTED_STREETS,
  FINAL_LEGAL_FORMS,
  LEGAL_FORMS,
  POSSIBLE_STREETS,
  ROOMS,
  STREET_ENDINGS,
  STREETS,
} from './address-words.js';
import { countryNamed } from './country-names.js';

/**
 * Returns whether a text is a postal address, a part of one or a place: `No.31,Jin-rong Street`, `D-66119 Saarbruecken`,
 * `Moscow, Russia`. Registrations of AS numbers often have one instead of a holder. A text with the legal form of a
 * company is a name, even if an address follows.
 */
export function isPostalAddress(text: string): boolean {
  if (text.length > LONGEST) return false;
  if (!/[\s,.]/.test(text)) return isCountry(text);
  if (LEGAL_FORM.test(text)) return false;
  if (ADDRESSES.some((pattern) => pattern.test(text))) return true;
  return !ACTIVITY.test(text) && (PROBABLE_ADDRESSES.some((pattern) => pattern.test(text)) || isPlace(text));
}

/** Longer texts are descriptions. */
const LONGEST = 200;

/** Returns whether a text is only the legal form of a company: `LTDA`, `S.A.`. */
export function isLegalForm(text: string): boolean {
  return ONLY_LEGAL_FORM.test(text);
}

const ONLY_LEGAL_FORM = new RegExp(`^(?:${LEGAL_FORMS}|${FINAL_LEGAL_FORMS})\\.?$`, 'iu');
const LEGAL_FORM = new RegExp(
  `(?<![\\p{L}\\p{N}])${LEGAL_FORMS}(?![\\p{L}\\p{N}])|[ .,]${FINAL_LEGAL_FORMS}\\.?$|^pt\\.? \\p{L}`,
  'iu',
);
const ACTIVITY = new RegExp(`\\b${ACTIVITIES}\\b`, 'iu');

/** A house number: `12`, `12a`, `38-B`, `12-14`. */
const HOUSE = '\\d{1,5}(?: ?-?[a-z])?(?: ?[-/&] ?\\d{1,4} ?[a-z]?)?';
const ORDINAL = '\\d{1,3} ?(?:st|nd|rd|th)';
/** Words of a name in an address. */
const WORDS = "[\\p{L}?.'-]+(?: [\\p{L}?.'-]+)*";
const POSTCODE = '(?:[a-z]{1,2} ?- ?)?(?:\\d{4,6}|\\d{2}[- ]\\d{3}|\\d{3} \\d{2})';

function anyOf(...patterns: readonly string[]): RegExp[] {
  return patterns.map((pattern) => new RegExp(pattern, 'iu'));
}

/** Patterns of addresses only. */
const ADDRESSES = anyOf(
  // P.O. Box 336, GPO Box 656, Postfach 53
  '^[gm]?c?p\\.? ?o\\.? ?box\\b|^box \\d|^postfach \\d|^locked bag\\b',
  // No.31, # 9
  '^(?:no|nr|#)\\.? ?[a-z]?\\d',
  // Level 5, 100 Harris St; but Level 3 Communications
  '^level \\d+ ?(?:,|$|\\d)',
  // Room 704, Unit 2, Plot No.770, Rm 217
  `^${ROOMS}\\.? ?(?:no)?[.: ]*[a-z]?-?\\d+[a-z]?\\b`,
  // 3rd Floor, 9th & 10th floors, 10F, 17FL
  `^(?:${ORDINAL} ?(?:&|-) ?)?(?:${ORDINAL}|\\d{1,2}) ?-?(?:floors?|fl?)\\b|\\b${ORDINAL} floor`,
  // Nr. 147 Bl 27 Sc.G Ap. 3
  '(?:^|[\\p{L}.,] ?)nr\\.? ?\\d+ ?[a-z]?(?:$|[ ,.-])|\\b(?:bl|sc|ap|et)\\. ?[a-z]?\\d{1,3}\\b',
  // 1065-A Zhaojiabang Road
  '^[^,]*\\d.* (?:street|road|avenue|blvd\\.?)$',
  '\\b(?:road|rd\\.?|street|st\\.?),? no\\.? ?\\d',
  // Jinan,250000
  '^[a-z ]+, ?\\d{5,6}$',
);

/** Patterns of addresses, unless a word names an activity. */
const PROBABLE_ADDRESSES = anyOf(
  '\\bp\\. ?o\\. ?box\\b|\\bpo box \\d|\\bpostfach \\d',
  // A number and a word for a street, in any order.
  `\\d.*\\b${STREETS}(?!\\p{L})|(?<!\\p{L})${STREETS}(?!\\p{L}).*\\d`,
  `\\d.*\\b${DOTTED_STREETS}\\.|(?<!\\p{L})${DOTTED_STREETS}\\. ?.*\\d`,
  `(?:^|[ ,.])${HOUSE},? (?:${WORDS} )?${POSSIBLE_STREETS}\\.?(?:$|[ ,#])`,
  `(?:^|[ ,.])${POSSIBLE_STREETS}[., ] ?(?:${WORDS})?[ ,.-]*(?:no|nr|n)?[ .:]*${HOUSE}(?:$|[ ,.;])`,
  `\\p{L}{2}[ -]?${STREET_ENDINGS} ?(?<=[. ])${HOUSE}(?:$|[ ,])`,
  // Gagarina avenue, building 7; Tencent Building, Kejizhongyi Avenue; Yad-Harutzim Street
  '^[^,]+ (?:street|road|avenue),|,[^,]+ (?:street|road|avenue|rd\\.?|lane)(?:$|,)|^[\\p{L} .-]+ (?:street|rd\\.)$',
  // Jagran Building, 1901 Devon House
  `^[\\p{L}&]+ (?:building(?! society)|bldg)\\b|\\d.*\\b${BUILDINGS}\\b|\\b${BUILDINGS}\\b.*,.*\\d`,
  '\\bsector[ -]\\d+\\b',
  // 10 Collyer Quay, 73-75 Dr. Staicovici
  `^${HOUSE}[, ] ?\\p{L}{2}`,
  // Iuliu Maniu 612-614, CATANELE,107; a number of one word must not be a name (Classroom 2000)
  `^(?:\\p{L}[\\p{L}?.'-]+ ){2,3}(?:\\d{2,3}|\\d{1,4}[a-z]|\\d+ ?-\\s?\\d+)$|^${WORDS}, ?${HOUSE}(?:,|$)`,
  '^\\p{L}{5,} (?:\\d+[a-z]|\\d+ ?- ?\\d+)$',
  // Bucharest, Mircea Voda 44; Respublikos 8, Taurage
  `, ?${WORDS},? ${HOUSE}(?:,|$)|^${WORDS} ${HOUSE}, ?(?:${POSTCODE} )?\\p{L}`,
  // D-66119 Saarbruecken, 04107 Leipzig, Wolsztyn 64-200
  `^[a-z]{1,2} ?- ?\\d{4,6}\\b|^${POSTCODE},? \\p{L}|\\b\\d{2}-\\d{3}$|\\b[a-z]{1,2}-\\d{4,5}(?: \\p{L}|$)`,
  ', ?p\\. ?r\\. ?china\\.?$|,[^,]+, ?china$',
);

/** Returns whether a text is a country, or a city with its country: `Moscow, Russia`, `Poland, Lublin`. */
function isPlace(text: string): boolean {
  const [first = '', ...others] = text
    .split(',')
    .map((part) => part.trim().replace(/^(?:the|republic of) /i, ''));
  if (/\d/.test(text)) return false;
  if (isCountry(first)) return true;
  const isCity = CITY.test(first) || text === text.toUpperCase();
  return others.length === 1 && isCity && isCountry(others[0]!);
}

/** One or two words in mixed case. Other texts before a country are mostly names (`SURFnet, The Netherlands`). */
const CITY = /^\p{Lu}[\p{Ll}.']+(?:[ .-]{1,2}\p{Lu}?[\p{Ll}.']+)?$/u;

function isCountry(name: string): boolean {
  return countryNamed(name) !== undefined;
}

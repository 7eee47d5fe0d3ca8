import type { PlaceNames } from './place.js';

/**
 * Folds a place name for comparison: compatibility forms (NFKC), lower case, no diacritics, punctuation or spaces, and
 * without one Chinese administrative suffix (and the peoples named before 自治). Thus `São Paulo` equals `SAO PAULO`,
 * 广州市 equals 广州 and 湘西土家族苗族自治州 equals 湘西. Folded names are never displayed.
 */
export function foldName(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase().replace(ASCII_MARKS, '');
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(UNDECOMPOSED, (letter) => UNDECOMPOSED_LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{M}+/gu, '')
    .normalize('NFC')
    .replace(MARKS, '');
  return withoutSuffix(plain);
}

/**
 * Returns the candidate names in a feed's text for a city, the most likely first: the whole text, the part after the
 * last comma (`Chiyoda, Tokyo`), before a bracket (`Amsterdam (Centrum)`), before the first comma (`Washington, D.C.`).
 */
export function candidateNamesOf(text: string): string[] {
  const candidates = [text];
  const comma = Math.max(text.lastIndexOf(','), text.lastIndexOf('，'));
  const bracket = text.search(/[([（]/);
  if (comma >= 0) candidates.push(text.slice(comma + 1));
  if (bracket > 0) candidates.push(text.slice(0, bracket));
  if (comma > 0) candidates.push(text.slice(0, text.search(/[,，]/)));
  return candidates.map((candidate) => candidate.trim()).filter((candidate) => candidate !== '');
}

/** Returns other folded spellings of a name: `saintlouis` for St. Louis, `bronx` for The Bronx, `koeln` for Köln. */
export function spellingsOf(name: string): string[] {
  const aliases: string[] = [];
  if (ARTICLE.test(name)) aliases.push(foldName(name.replace(ARTICLE, '')));
  if (SAINT.test(name)) aliases.push(foldName(name.replace(SAINT, 'Saint ')));
  if (UMLAUT.test(name)) {
    aliases.push(
      foldName(name.normalize('NFC').replace(UMLAUTS, (letter) => DIGRAPHS[letter.toLowerCase()] ?? letter)),
    );
  }
  return aliases;
}

/** Returns the folded name without the part that distinguishes it from namesakes: `frankfurt` for Frankfurt am Main. */
export function shortFormOf(name: string): string | undefined {
  const qualifier = name.search(QUALIFIER);
  return qualifier >= 3 ? foldName(name.slice(0, qualifier)) : undefined;
}

/** Whether a text contains a Chinese character. */
export function isHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

/**
 * Returns a feed's spelling of a place as its Chinese name if it contains a Chinese character, else as its English
 * name.
 */
export function namesAsSpelled(text: string): PlaceNames {
  return isHan(text) ? { 'zh-CN': text } : { en: text };
}

const ARTICLE = /^the /i;
const SAINT = /^(?:st\.?|ste\.?|sankt) /i;
const UMLAUT = /[äöüåø]/iu;
const UMLAUTS = /[äöüåø]/giu;
const DIGRAPHS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };
/** The start of the part that distinguishes namesakes: a river, a sea, a bracket. */
const QUALIFIER =
  /[ -](?:am|an der|an dem|im|in der|ob der|vor der|upon|sur|sous|nad|pod|na|di|del|de los|de las)[ -]| \(/i;

const ASCII = /^[\0-\x7f]*$/;
const ASCII_MARKS = /[^a-z0-9]+/g;
/** All characters except letters and digits. Modifier letters count as apostrophes (Hawaiʻi). */
const MARKS = /[^\p{L}\p{N}\p{M}]|[\u02b0-\u02ff]/gu;

/** Ligatures and letters with a stroke, which Unicode does not decompose. */
const UNDECOMPOSED_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ə: 'a',
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(UNDECOMPOSED_LETTERS).join('')}]`, 'gu');

/** Chinese administrative suffixes. A longer one precedes its own suffixes. */
const SUFFIXES = [
  '特别行政区',
  '维吾尔自治区',
  '壮族自治区',
  '回族自治区',
  '自治区',
  '自治州',
  '自治县',
  '自治旗',
  '特别市',
  '广域市',
  '大区',
  '地区',
  '省',
  '市',
  '盟',
  '州',
  '邦',
  '府',
  '都',
  '道',
  '县',
  '縣',
  '區',
  '区',
];

/** The peoples in the names of autonomous units. */
const PEOPLES =
  /(?<=..)(?:(?:壮|回|满|苗|彝|土家|藏|蒙古|布依|侗|瑶|哈尼|傣|黎|傈僳|朝鲜|白|羌|景颇|各)族|(?:蒙古|哈萨克|柯尔克孜)族?)+$/u;

/** Removes the suffix. Keeps names of one character and a suffix (东区, 沙市, 加州). */
function withoutSuffix(name: string): string {
  const suffix = SUFFIXES.find((candidate) => name.endsWith(candidate));
  if (suffix === undefined || name.length - suffix.length < 2) return name;
  const stem = name.slice(0, -suffix.length);
  return suffix.startsWith('自治') ? stem.replace(PEOPLES, '') : stem;
}

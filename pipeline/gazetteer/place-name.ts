/**
 * Folds a place name for comparison: compatibility forms (NFKC), lower case, no diacritics, hyphens, apostrophes or
 * spaces, and without one Chinese administrative suffix, so that `São Paulo` meets `SAO PAULO` and 广州市 meets 广州.
 * Folded names are compared, never shown.
 */
export function foldName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(UNDECOMPOSED, (letter) => UNDECOMPOSED_LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/[\s\p{Pd}\u2212'\u2018\u2019\u201b\u02bb\u02bc\u02b9\u02bf\u0060\u00b4]/gu, '');
  return withoutSuffix(plain);
}

/** Letters with a stroke and ligatures, which Unicode does not decompose. */
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

/** Chinese administrative suffixes, the longer before those they end in. */
const SUFFIXES = [
  '特别行政区',
  '维吾尔自治区',
  '壮族自治区',
  '回族自治区',
  '自治区',
  '自治州',
  '地区',
  '省',
  '市',
  '盟',
  '县',
  '区',
];

/** A name of one character and a suffix (东区, 沙市) is a name as it stands. */
function withoutSuffix(name: string): string {
  const suffix = SUFFIXES.find((candidate) => name.endsWith(candidate));
  if (suffix === undefined || name.length - suffix.length < 2) return name;
  return name.slice(0, -suffix.length);
}

/**
 * Returns the Chinese name of a city without the word for the region around it (`北宁省` is the province of 北宁): sources
 * name some cities like their province. `regionName` is the Chinese name of the city's region. Chinese cities are named
 * by a table of their own and are returned unchanged. A name is never stripped to a single character.
 */
export function withoutRegionWord(
  name: string,
  { country, regionName }: { readonly country: string; readonly regionName: string | undefined },
): string {
  if (country === 'CN') return name;
  const word = (name === regionName ? WORD_OF_REGION : WORD_OF_PROVINCE).exec(name)?.[0];
  const isWord = word !== undefined || (country === 'TH' && name.endsWith(THAI_PROVINCE));
  const length = word?.length ?? THAI_PROVINCE.length;
  return isWord && name.length - length >= 2 ? name.slice(0, -length) : name;
}

/** Words that only regions have. */
const WORD_OF_PROVINCE = /(?:省|自治区|特别行政区|大区)$/;
/** Words that a city's own name may end in as well, such as 别府 or 林道. */
const WORD_OF_REGION = /(?:省|自治区|特别行政区|大区|地区|自治州|州|府|道|县|郡|区)$/;
const THAI_PROVINCE = '府';

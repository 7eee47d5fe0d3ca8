/** An ISO 3166-2 region of mainland China: a province, autonomous region or municipality. */
export interface ChinaRegion {
  /** The ISO 3166-2 code, for example `CN-XJ`. */
  readonly code: string;
  /** The short name: 新疆 for 新疆维吾尔自治区. */
  readonly name: string;
  /** Whether the region is a municipality (直辖市), which is region and city at once. */
  readonly isCity: boolean;
}

/**
 * Returns the region of mainland China with this short (新疆), common (新疆自治区) or full name (新疆维吾尔自治区). 香港, 澳门
 * and 台湾 are countries here; see `countryNamed`.
 */
export function chinaRegionNamed(name: string): ChinaRegion | undefined {
  return regionByName.get(name);
}

/**
 * Splits a text after the longest region name at its beginning. Returns undefined when it begins with no region
 * name.
 */
export function cutLeadingChinaRegion(
  text: string,
): { readonly region: ChinaRegion; readonly rest: string } | undefined {
  for (let length = Math.min(text.length, longestName); length > 0; length--) {
    const region = regionByName.get(text.slice(0, length));
    if (region !== undefined) return { region, rest: text.slice(length) };
  }
  return undefined;
}

/** ISO 3166-2 code, short name, and the suffix of the official name. */
const REGIONS = [
  ['CN-AH', '安徽', '省'],
  ['CN-BJ', '北京', '市'],
  ['CN-CQ', '重庆', '市'],
  ['CN-FJ', '福建', '省'],
  ['CN-GD', '广东', '省'],
  ['CN-GS', '甘肃', '省'],
  ['CN-GX', '广西', '壮族自治区'],
  ['CN-GZ', '贵州', '省'],
  ['CN-HA', '河南', '省'],
  ['CN-HB', '湖北', '省'],
  ['CN-HE', '河北', '省'],
  ['CN-HI', '海南', '省'],
  ['CN-HL', '黑龙江', '省'],
  ['CN-HN', '湖南', '省'],
  ['CN-JL', '吉林', '省'],
  ['CN-JS', '江苏', '省'],
  ['CN-JX', '江西', '省'],
  ['CN-LN', '辽宁', '省'],
  ['CN-NM', '内蒙古', '自治区'],
  ['CN-NX', '宁夏', '回族自治区'],
  ['CN-QH', '青海', '省'],
  ['CN-SC', '四川', '省'],
  ['CN-SD', '山东', '省'],
  ['CN-SH', '上海', '市'],
  ['CN-SN', '陕西', '省'],
  ['CN-SX', '山西', '省'],
  ['CN-TJ', '天津', '市'],
  ['CN-XJ', '新疆', '维吾尔自治区'],
  ['CN-XZ', '西藏', '自治区'],
  ['CN-YN', '云南', '省'],
  ['CN-ZJ', '浙江', '省'],
] as const;

const regionByName: ReadonlyMap<string, ChinaRegion> = new Map(
  REGIONS.flatMap(([code, name, suffix]) => {
    const region: ChinaRegion = { code, name, isCity: suffix === '市' };
    const common = suffix.endsWith('自治区') ? [`${name}自治区`] : [];
    return [name, ...common, name + suffix].map((spelling) => [spelling, region] as const);
  }),
);
const longestName = Math.max(...[...regionByName.keys()].map((name) => name.length));

/** An ISP name at the beginning of a text. */
export interface LeadingIsp {
  readonly isp: string;
  /** The text after the name, without the separator. */
  readonly rest: string;
}

/** Splits a text after the longest ISP name at its beginning (亚太电信 is not 电信). Returns undefined without one. */
export function cutLeadingIsp(text: string): LeadingIsp | undefined {
  for (let length = Math.min(text.length, LONGEST); length > 0; length--) {
    const isp = text.slice(0, length);
    if (NAMES.has(isp)) return { isp, rest: text.slice(length).replace(/^[\s/,、，;；|-]+/u, '') };
  }
  return undefined;
}

/**
 * Carriers of mainland China, Hong Kong, Macao and Taiwan, and clouds with networks of their own, in the spelling of
 * 纯真 and ip2region.
 */
// prettier-ignore
const NAMES: ReadonlySet<string> = new Set([
  '电信', '中国电信', '联通', '中国联通', '移动', '中国移动', '铁通', '中国铁通', '移动铁通',
  '网通', '中国网通', '吉通', '教育网', '中国教育网', '科技网', '中国科技网', '卫通', '中国卫通',
  '广电', '广电网', '中国广电', '歌华有线', '东方有线', '陕西广电', '有线通', '天威视讯', '华数', '华数宽带',
  '鹏博士', '长城', '长城宽带', '方正宽带', '电信通', '宽带通', '皓宽网络', '中信网络', '珠江宽频', '视讯宽带',
  '中华电信', '远传电信', '亚太电信', '台湾大哥大', '台湾固网', '台湾之星', '和信超媒体', '新世纪资通',
  '电讯盈科', '香港宽频', '和记环球电讯', '香港电讯', '香港电讯盈科', '数码通', '新世界电讯', '中信国际电讯', '澳门电讯',
  '阿里云', '腾讯云', '华为云', '百度云', '京东云', '金山云', '天翼云', '移动云', '网宿', 'UCloud',
]);
const LONGEST = Math.max(...[...NAMES].map((name) => name.length));

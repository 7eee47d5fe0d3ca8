/** A carrier or cloud company that appears under many names. */
export interface Carrier {
  /** Id in lists of prefixes (`telecom`). */
  readonly id: string;
  readonly en: string;
  /** Its full Chinese name (中国电信). */
  readonly zh: string;
  /** Its common Chinese name (电信). */
  readonly short: string;
  /** Other complete texts in Chinese feeds that mean it. */
  readonly spellings: readonly string[];
  /** Matches its names and those of its networks in Latin letters: AS names, registry entries, lists. */
  readonly names: RegExp;
  /** AS numbers of its own networks, for ASes with no name or with another name. */
  readonly asns: readonly number[];
}

/**
 * Carriers of China, Hong Kong, Macao and Taiwan. The first one with a matching pattern counts, so companies abroad
 * come before their parent company. Regional companies with their own name (陕西广电) are not in the table.
 *
 * The AS numbers are backbones, which must be found even without a source of AS names, and networks for which the
 * AS names have only an address (AS4134 is `No.31,Jin-rong Street`). Carrier lines such as CN2 are in another
 * table (`routing/carrier-table.ts`).
 */
export const CARRIERS: readonly Carrier[] = [
  {
    id: 'telecom-macau',
    en: 'China Telecom (Macau)',
    zh: '中国电信（澳门）',
    short: '澳门电信',
    spellings: [],
    names: /\bchina[ -]?telecom \(?maca[uo]\b/i,
    asns: [],
  },
  {
    id: 'telecom-global',
    en: 'China Telecom Global',
    zh: '中国电信国际',
    short: '电信国际',
    spellings: [],
    names:
      /\bchina[ -]?telecom[ ,-]+\(?(?:global|europe|americas|asia[ -]?pacific|hong ?kong|africa|indonesia|singapore|japan|korea)\b/i,
    asns: [23764, 25726, 36678],
  },
  {
    id: 'telecom',
    en: 'China Telecom',
    zh: '中国电信',
    short: '电信',
    spellings: ['天翼'],
    names:
      /\bchinanet(?!center)(?=[^a-z]|$)|\bchina[ -]?telecom(?:munications?)?(?! broadcast)(?=[^a-z]|group|$)|\bprovincial net of ct\b|^ct-[a-z]+(?:-[a-z]+)*-(?:idc|man)\b/i,
    asns: [4134, 4809, 4811, 4812, 4813, 4816, 4835, 23650, 23724, 58519],
  },
  {
    id: 'unicom-global',
    en: 'China Unicom Global',
    zh: '中国联通国际',
    short: '联通国际',
    spellings: [],
    names:
      /\bunicom[ -]+\(?global\b|\bchina[ -]?unicom[ ,-]+\(?(?:europe|americas|australia|hong ?kong|singapore|japan|international)\b/i,
    asns: [10099],
  },
  {
    id: 'unicom',
    en: 'China Unicom',
    zh: '中国联通',
    short: '联通',
    spellings: ['网通', '中国网通', '吉通'],
    names: /\bchina[ -]?unicom|\bchina169\b|\bcncgroup\b|\bunicom\b.*\b(?:province|network)\b/i,
    asns: [4808, 4837, 9800, 9929, 17621, 17622, 17623, 17816, 18344],
  },
  {
    id: 'mobile-hongkong',
    en: 'China Mobile Hong Kong',
    zh: '中国移动香港',
    short: '移动香港',
    spellings: [],
    names: /\bchina[ -]?mobile[ ,-]+\(?hong ?kong\b|\bcmhk\b/i,
    asns: [9231, 137872],
  },
  {
    id: 'mobile-international',
    en: 'China Mobile International',
    zh: '中国移动国际',
    short: '移动国际',
    spellings: [],
    names:
      /\bchina[ -]?mobile[ ,-]+\(?(?:international|global|uk|usa|europe|singapore)\b|\bindonesia china mobile\b|^cmi-int-/i,
    asns: [58453, 58807],
  },
  {
    // Part of China Mobile since 2008; its networks keep its own name.
    id: 'tietong',
    en: 'China Tietong',
    zh: '中国铁通',
    short: '铁通',
    spellings: ['移动铁通'],
    names: /\bchina[ -]?tie ?tong\b|\bcttnet\b|\bchina railcom\b/i,
    asns: [9394],
  },
  {
    id: 'mobile',
    en: 'China Mobile',
    zh: '中国移动',
    short: '移动',
    spellings: [],
    names:
      /\bchina[ -]?mobile|\bcmnet\d?-|\bcmnetv6-|\b(?:beijing|tianjin|shanghai|chongqing|hebei|shanxi|liaoning|jilin|heilongjiang|jiangsu|zhejiang|anhui|fujian|jiangxi|shandong|henan|hubei|hunan|guangdong|guangxi|hainan|sichuan|guizhou|yunnan|tibet|shaanxi|gansu|qinghai|ningxia|xinjiang|inner mongolia) mobile communications? (?:company|co\b|corporation)/i,
    asns: [9808, 24400, 24444, 24445, 24547, 38019, 56040, 56041, 56042, 56044, 56045, 56046, 56047, 56048],
  },
  {
    id: 'broadnet',
    en: 'China Broadnet',
    zh: '中国广电',
    short: '广电',
    spellings: ['广电网'],
    names: /\bchina[ -]?broadnet\b|\bchina broadcasting (?:tv )?net(?:work)?\b|\bchinabtn\b/i,
    asns: [7641],
  },
  {
    id: 'cernet',
    en: 'CERNET',
    zh: '中国教育网',
    short: '教育网',
    spellings: [],
    names: /\bcernet2?\b|\bchina education and research network\b/i,
    asns: [4538, 23910],
  },
  {
    id: 'cstnet',
    en: 'CSTNET',
    zh: '中国科技网',
    short: '科技网',
    spellings: [],
    names:
      /\bcstnet-|\bchina science and technology network\b|\bcomputer network information center of chinese academy\b/i,
    asns: [7497, 37944],
  },
  {
    id: 'drpeng',
    en: 'Dr. Peng',
    zh: '鹏博士',
    short: '鹏博士',
    // Dr. Peng bought Great Wall Broadband and Beijing Teletron.
    spellings: ['长城', '长城宽带', '电信通', '宽带通'],
    names:
      /\bdr\.? ?peng|\bgwbn\b|\bgreat ?wall broadband\b|\bbeijing teletron\b|\bdxtnet\b|\bdian-xin-tong\b/i,
    asns: [17430, 17964, 18247, 55968, 55969, 55970],
  },
  {
    id: 'chunghwa',
    en: 'Chunghwa Telecom',
    zh: '中华电信',
    short: '中华电信',
    spellings: [],
    names: /\bchung ?hwa[ .]*telecom|\bhinet (?:taiwan|ipv6 service|service center)\b/i,
    asns: [3462, 9680, 17421],
  },
  {
    id: 'fareastone',
    en: 'Far EasTone',
    zh: '远传电信',
    short: '远传',
    spellings: ['新世纪资通'],
    names: /\bfar ?eas(?:t?t|t)one\b|\bnew century infocomm\b|\bdigital united\b/i,
    asns: [4780, 9674, 9919],
  },
  {
    id: 'taiwan-mobile',
    en: 'Taiwan Mobile',
    zh: '台湾大哥大',
    short: '台湾大哥大',
    spellings: ['台湾固网'],
    names: /\btaiwan mobile\b|\btaiwan fixed network\b/i,
    asns: [9924, 24158],
  },
  {
    id: 'aptg',
    en: 'Asia Pacific Telecom',
    zh: '亚太电信',
    short: '亚太电信',
    spellings: [],
    names: /\basia pacific telecom\b|\basia pacific broadband fixed lines\b/i,
    asns: [17709, 24154],
  },
  {
    id: 'hkt',
    en: 'HKT',
    zh: '香港电讯',
    short: '电讯盈科',
    spellings: ['香港电讯盈科', '香港电讯盈科PCCW'],
    names:
      /\bhkt limited\b|\bpccw (?:limited|ims|hongkong)\b|\bhong ?kong telecommunications \(hkt\)|\bnetvigator\b/i,
    asns: [4515, 4760, 9263],
  },
  {
    id: 'hkbn',
    en: 'Hong Kong Broadband Network',
    zh: '香港宽频',
    short: '香港宽频',
    spellings: [],
    names: /\bhkbn|\b(?:hong kong|hk) broadband network\b/i,
    asns: [9269, 9381, 10103, 17444],
  },
  {
    id: 'hgc',
    en: 'HGC',
    zh: '和记环球电讯',
    short: '和记环球电讯',
    spellings: ['环球全域电讯'],
    names: /\bhgc global communications\b|\bhutchison global communications\b/i,
    asns: [9304],
  },
  {
    id: 'smartone',
    en: 'SmarTone',
    zh: '数码通',
    short: '数码通',
    spellings: [],
    names: /\bsmartone\b/i,
    asns: [17924],
  },
  {
    id: 'ctm',
    en: 'CTM',
    zh: '澳门电讯',
    short: '澳门电讯',
    spellings: [],
    names: /\bctm-(?:mo|hk|cust)\b|\bcompanhia de telecomunicacoes de macau\b/i,
    asns: [4609, 24335],
  },
];

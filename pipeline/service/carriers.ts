import type { Carrier } from './carrier.js';
import { CLOUD_COMPANIES } from './cloud-companies.js';

export type { Carrier };

/**
 * Carriers of China, the first whose pattern fits a name counts: companies abroad stand before those they belong to.
 * A regional company that has a name of its own (陕西广电) is no line here.
 *
 * AS numbers are backbones whose owner has to be known also where no source of AS names was there, and networks of
 * whom the registries tell no more than a street (`No.31,Jin-rong Street` is AS4134). Which of them is a line such as
 * CN2 is another question, with another table (`routing/carrier-table.ts`).
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
    // Sold to China Mobile in 2008; its networks still go by its own name.
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
    // Bought by it: Great Wall Broadband and Beijing Teletron.
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

/** Whether it runs a cloud: the space that it announces is its own. */
export function runsCloud({ id }: Carrier): boolean {
  return CLOUD_IDS.has(id);
}

const ALL = [...CARRIERS, ...CLOUD_COMPANIES];

/** The carrier that a list of prefixes means; absent for an id that stands in no line. */
export function carrierById(id: string): Carrier | undefined {
  return BY_ID.get(id);
}

/** The carrier or cloud company whose own network this is. */
export function carrierOfAs(asn: number): Carrier | undefined {
  return BY_ASN.get(asn);
}

/** The carrier or cloud company that a whole Chinese text means. 亚太电信 is not 电信. */
export function carrierSpelled(text: string): Carrier | undefined {
  return BY_SPELLING.get(text);
}

/** The carrier or cloud company that a name in Latin letters tells of. */
export function carrierCalled(name: string): Carrier | undefined {
  return ALL.find(({ names }) => names.test(name));
}

const CLOUD_IDS: ReadonlySet<string> = new Set(CLOUD_COMPANIES.map(({ id }) => id));
const BY_ID = new Map(CARRIERS.map((carrier) => [carrier.id, carrier]));
const BY_ASN = new Map(ALL.flatMap((carrier) => carrier.asns.map((asn) => [asn, carrier] as const)));
const BY_SPELLING = new Map(
  ALL.flatMap((carrier) =>
    [carrier.zh, carrier.short, ...carrier.spellings].map((text) => [text, carrier] as const),
  ),
);

import type { Language } from '../../../pipeline/record/language.js';

/** The words of the pages about addresses, prefixes, ASes and names. */
export interface LookupWords {
  readonly yours: string;
  /** Heading of a host name. */
  readonly name: string;
  readonly permalink: string;
  /** Before the path of the same answer in the API. */
  readonly asJson: string;
  readonly unknownPlace: string;
  readonly reserved: string;
  readonly marks: Readonly<Record<'proxy' | 'clean' | 'hosting' | 'anycast' | 'threat', string>>;
  readonly where: string;
  readonly who: string;
  readonly sure: string;
  readonly facts: Readonly<
    Record<
      | 'place'
      | 'coordinates'
      | 'radius'
      | 'timezone'
      | 'isp'
      | 'organisation'
      | 'as'
      | 'usage'
      | 'cloud'
      | 'proxy'
      | 'lastSeen'
      | 'fraudScore'
      | 'prefix'
      | 'origin'
      | 'rpki'
      | 'upstreams'
      | 'neighbours'
      | 'allocation'
      | 'line'
      | 'exchanges'
      | 'registry'
      | 'country'
      | 'prefixes'
      | 'providers'
      | 'customers'
      | 'peers'
      | 'registrar'
      | 'registrant'
      | 'created'
      | 'updated'
      | 'expires'
      | 'status'
      | 'nameServers'
      | 'covering',
      string
    >
  >;
  readonly levels: Readonly<Record<'country' | 'region' | 'city', string>>;
  readonly sureNote: string;
  readonly map: (place: string) => string;
  readonly verdicts: string;
  readonly verdictCaption: (ip: string) => string;
  readonly verdictNote: string;
  readonly source: string;
  readonly agrees: string;
  readonly differs: string;
  readonly silent: string;
  readonly noVerdicts: string;
  readonly route: string;
  readonly noRoute: string;
  readonly observed: (publisher: string) => string;
  readonly rpki: Readonly<Record<'valid' | 'invalid' | 'unknown', string>>;
  readonly prefixesOf: (name: string) => string;
  readonly notInUse: string;
  /** The states of an AS number at its registry. */
  readonly delegated: Readonly<Record<'allocated' | 'assigned', string>>;
  readonly more: (count: number) => string;
  readonly reverse: string;
  readonly noReverse: string;
  readonly dns: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: string;
  readonly noRecords: string;
  readonly registration: string;
  readonly raw: string;
  readonly notRegistered: string;
  readonly available: string;
  readonly noAnswer: string;
  readonly addressOf: (name: string) => string;
  readonly noAddress: string;
}

/** The words by language. */
export const LOOKUP_WORDS: Readonly<Record<Language, LookupWords>> = {
  en: {
    yours: 'Your address',
    name: 'Host name',
    permalink: 'Permanent link to this lookup',
    asJson: 'The same as JSON:',
    unknownPlace: 'Location unknown',
    reserved: 'Reserved address: not used on the public internet',
    marks: {
      proxy: 'Proxy',
      clean: 'No proxy known',
      hosting: 'Cloud or data centre',
      anycast: 'Anycast: announced from many places',
      threat: 'Threat',
    },
    where: 'Where',
    who: 'Operator',
    sure: 'Confidence',
    facts: {
      place: 'Place',
      coordinates: 'Coordinates',
      radius: 'Accuracy',
      timezone: 'Time zone',
      isp: 'ISP',
      organisation: 'Organisation',
      as: 'AS',
      usage: 'Usage',
      cloud: 'Cloud',
      proxy: 'Proxy service',
      lastSeen: 'Last seen',
      fraudScore: 'Fraud score',
      prefix: 'Prefix',
      origin: 'Origin',
      rpki: 'RPKI',
      upstreams: 'Upstreams',
      neighbours: 'Neighbours',
      allocation: 'Allocation',
      line: 'Carrier line',
      exchanges: 'Exchanges',
      registry: 'Registry',
      country: 'Country',
      prefixes: 'Prefixes',
      providers: 'Providers',
      customers: 'Customers',
      peers: 'Peers',
      registrar: 'Registry or registrar',
      registrant: 'Registrant',
      created: 'Created',
      updated: 'Updated',
      expires: 'Expires',
      status: 'Status',
      nameServers: 'Name servers',
      covering: 'Covering prefixes',
    },
    levels: { country: 'Country', region: 'Region', city: 'City' },
    sureNote:
      'Probability that this level is right, measured on networks whose operators publish their places.',
    map: (place) => `World map: ${place}`,
    verdicts: 'What each database says',
    verdictCaption: (ip) => `Verdicts on ${ip}`,
    verdictNote: 'The answer above is merged from these. Blue dots on the map are their places.',
    source: 'Database',
    agrees: 'same as the answer',
    differs: 'differs from the answer',
    silent: 'not stated',
    noVerdicts: 'No database has a record of this address.',
    route: 'Route',
    noRoute: 'No route collector sees this address.',
    observed: (publisher) => `observed by ${publisher}`,
    rpki: { valid: 'valid', invalid: 'invalid', unknown: 'not found' },
    prefixesOf: (name) => `Prefixes of ${name}`,
    notInUse: 'Originates no prefix now',
    delegated: { allocated: 'allocated', assigned: 'assigned' },
    more: (count) => `and ${count.toLocaleString('en')} more`,
    reverse: 'Reverse DNS',
    noReverse: 'No name.',
    dns: 'DNS records',
    type: 'Type',
    value: 'Value',
    ttl: 'TTL (s)',
    noRecords: 'The name has no records.',
    registration: 'Registration',
    raw: 'Reply of the registry',
    notRegistered: 'Not registered.',
    available: 'This name is not registered.',
    noAnswer: 'No answer in time. Reload the page to try again.',
    addressOf: (name) => `Address of ${name}`,
    noAddress: 'The name has no address.',
  },
  zh: {
    yours: '您的地址',
    name: '主机名',
    permalink: '本次查询的固定链接',
    asJson: '同一结果的 JSON：',
    unknownPlace: '位置未知',
    reserved: '保留地址：不用于公共互联网',
    marks: {
      proxy: '代理',
      clean: '未发现代理',
      hosting: '云或数据中心',
      anycast: '任播：由多地同时宣告',
      threat: '威胁',
    },
    where: '位置',
    who: '运营者',
    sure: '置信度',
    facts: {
      place: '地点',
      coordinates: '坐标',
      radius: '精度',
      timezone: '时区',
      isp: '运营商',
      organisation: '组织',
      as: 'AS',
      usage: '用途',
      cloud: '云服务',
      proxy: '代理服务',
      lastSeen: '最近发现',
      fraudScore: '欺诈评分',
      prefix: '前缀',
      origin: '源 AS',
      rpki: 'RPKI',
      upstreams: '上游',
      neighbours: '邻居',
      allocation: '分配',
      line: '线路',
      exchanges: '交换中心',
      registry: '注册机构',
      country: '国家/地区',
      prefixes: '前缀数',
      providers: '上游',
      customers: '下游',
      peers: '对等',
      registrar: '注册机构或注册商',
      registrant: '注册人',
      created: '创建',
      updated: '更新',
      expires: '到期',
      status: '状态',
      nameServers: '域名服务器',
      covering: '上级前缀',
    },
    levels: { country: '国家/地区', region: '省/州', city: '城市' },
    sureNote: '该级别正确的概率，依据运营者公布位置的网络测得。',
    map: (place) => `世界地图：${place}`,
    verdicts: '各数据库的结论',
    verdictCaption: (ip) => `对 ${ip} 的结论`,
    verdictNote: '以上答案由它们合并得出。地图上的蓝点是它们给出的位置。',
    source: '数据库',
    agrees: '与答案一致',
    differs: '与答案不同',
    silent: '未说明',
    noVerdicts: '没有数据库收录该地址。',
    route: '路由',
    noRoute: '路由采集点未见该地址。',
    observed: (publisher) => `由 ${publisher} 观测`,
    rpki: { valid: '有效', invalid: '无效', unknown: '未找到' },
    prefixesOf: (name) => `${name} 的前缀`,
    notInUse: '目前未宣告前缀',
    delegated: { allocated: '已分配', assigned: '已指派' },
    more: (count) => `另有 ${count.toLocaleString('en')} 个`,
    reverse: '反向 DNS',
    noReverse: '没有域名。',
    dns: 'DNS 记录',
    type: '类型',
    value: '值',
    ttl: 'TTL（秒）',
    noRecords: '该域名没有记录。',
    registration: '注册信息',
    raw: '注册机构的原始应答',
    notRegistered: '未注册。',
    available: '该域名未注册。',
    noAnswer: '未及时收到应答，请刷新重试。',
    addressOf: (name) => `${name} 的地址`,
    noAddress: '该域名没有地址。',
  },
};

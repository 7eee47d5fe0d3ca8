import t from 'tap';
import { CLOUD_COMPANIES } from './cloud-companies.js';
import { CARRIERS } from './carriers.js';
import { carrierById, carrierCalled, carrierOfAs, carrierSpelled } from './spelled-isp.js';

t.test('names in Latin letters belong to their carrier', (t) => {
  const names: Readonly<Record<string, string | undefined>> = {
    // As IP2Proxy, IPinfo and the registries spell them.
    'ChinaNet Guangdong Province Network': 'telecom',
    Chinanet: 'telecom',
    'CHINANET-BACKBONE No.31,Jin-rong Street': 'telecom',
    'CHINATELECOM Jiangsu province Suzhou 5G network': 'telecom',
    'CHINATELECOM-LTE-INTERNATIONALEXCHANGE-SHANGHAI': 'telecom',
    'IDC, China Telecommunications Corporation': 'telecom',
    'ASN for TIANJIN Provincial Net of CT': 'telecom',
    'CT-HangZhou-IDC': 'telecom',
    'CHINATELECOM-AS-AP CHINA TELECOM MACAU COMPANY LIMITED': 'telecom-macau',
    'China Telecom (Americas) Corporation': 'telecom-global',
    'China Unicom Henan Province Network': 'unicom',
    'CHINA UNICOM China169 Backbone': 'unicom',
    'UNICOM AnHui province network': 'unicom',
    'Unicom Liaoning Province Network': 'unicom',
    'China Unicom Global': 'unicom-global',
    'China Mobile Communications Group Co., Ltd.': 'mobile',
    'Henan Mobile Communications Co.,Ltd': 'mobile',
    'CMNET-GUANGDONG-AP': 'mobile',
    'China Mobile Hong Kong Company Limited': 'mobile-hongkong',
    'China Mobile International Limited': 'mobile-international',
    'China TieTong Telecommunications Corporation': 'tietong',
    'China Next Generation Internet CERNET2': 'cernet',
    'CHINA SCIENCE AND TECHNOLOGY NETWORK': 'cstnet',
    'Great Wall Broadband Network Service Co.,Ltd.': 'drpeng',
    'ChengDu Dr.Peng Telecom & Media Group Industry Co., Ltd.': 'drpeng',
    'Chunghwa Telecom Co. Ltd.': 'chunghwa',
    'HiNet Taiwan': 'chunghwa',
    'Far EastTone Telecommunication Co., Ltd.': 'fareastone',
    'Asia Pacific Telecom': 'aptg',
    'Hong Kong Telecommunications (HKT) Limited': 'hkt',
    'HK Broadband Network Ltd.': 'hkbn',
    'HGC Global Communications Limited': 'hgc',
    // Companies that run clouds.
    'ALIBABA-CN-NET Hangzhou Alibaba Advertising Co.,Ltd.': 'alibaba',
    'Aliyun Computing Co. Ltd': 'alibaba',
    'TENCENT-NET-AP-CN Tencent Building, Kejizhongyi Avenue': 'tencent',
    'HWCSNET Huawei Cloud Service data center': 'huawei',
    'AMAZON-02': 'amazon',
    'Amazon.com, Inc.': 'amazon',
    'MICROSOFT-CORP-MSN-AS-BLOCK': 'microsoft',
    'Google LLC': 'google',
    GOOGLE: 'google',
    'APPLE-ENGINEERING': 'apple',
    // Others.
    'ALIBABA-TRAVELS-COMPANY': undefined,
    'AMAZONTEL TELECOMUNICACOES LTDA': undefined,
    'GOOGLE-FIBER': undefined,
    'Google Fiber Inc.': undefined,
    'APPLE1-AS-AP Apple Communication Ltd.': undefined,
    'APPLE-BANK-FOR-SAVINGS': undefined,
    'CHINANETCENTER-AP Internet Service Provider in China': undefined,
    'China Telecommunications Broadcast Satellite Corp.': undefined,
    'UNICOM-B-AS NREN - Bulgaria': undefined,
    'HINET Hokkaido University': undefined,
    'CMNET PROVEDOR DE INTERNET EIRELLI': undefined,
    'ICMNET-1': undefined,
    'SmarTone Mobile Communications Limited': 'smartone',
    'Asia Pacific Network Information Centre': undefined,
    'Telekom Malaysia Berhad': undefined,
    'PCCW Global HK Ltd.': undefined,
  };
  for (const [name, id] of Object.entries(names)) t.equal(carrierCalled(name)?.id, id, name);
  t.equal(carrierCalled('CTBY-ASN', 'China Telecom Europe Ltd.')?.id, 'telecom-global', 'any of the names');
  t.equal(
    carrierCalled('CHINANET-EU', 'China Telecom Europe Ltd.')?.id,
    'telecom-global',
    'the first carrier',
  );
  t.equal(carrierCalled('UNICOM-B-AS', 'Bulgarian Research Network'), undefined, 'each name of its own');
  t.equal(carrierCalled('Alibaba Travel Company (LTD)'), undefined);
  t.end();
});

t.test('a Chinese text means a carrier only as a whole', (t) => {
  const texts: Readonly<Record<string, string | undefined>> = {
    电信: 'telecom',
    中国电信: 'telecom',
    网通: 'unicom',
    移动: 'mobile',
    移动铁通: 'tietong',
    长城宽带: 'drpeng',
    亚太电信: 'aptg',
    中华电信: 'chunghwa',
    电讯盈科: 'hkt',
    印度电信: undefined,
    马来西亚电信: undefined,
    陕西广电: undefined,
    阿里巴巴: 'alibaba',
    腾讯: 'tencent',
    沃达丰: undefined,
  };
  for (const [text, id] of Object.entries(texts)) t.equal(carrierSpelled(text)?.id, id, text);
  t.end();
});

t.test('carriers are found by the ids of prefix lists and by their AS numbers', (t) => {
  for (const id of ['telecom', 'mobile', 'unicom', 'cernet', 'cstnet', 'drpeng']) {
    t.equal(carrierById(id)?.id, id);
  }
  t.equal(carrierById('unknown'), undefined);
  t.equal(carrierOfAs(4134)?.id, 'telecom');
  t.equal(carrierOfAs(13335), undefined);
  t.end();
});

t.test('every id, text and AS number is in one row only', (t) => {
  const all = [...CARRIERS, ...CLOUD_COMPANIES];
  const ids = all.map(({ id }) => id);
  const asns = all.flatMap(({ asns }) => asns);
  const texts = all.flatMap(({ zh, short, spellings }) => [...new Set([zh, short, ...spellings])]);
  for (const values of [ids, asns, texts]) t.equal(new Set<unknown>(values).size, values.length);
  t.end();
});

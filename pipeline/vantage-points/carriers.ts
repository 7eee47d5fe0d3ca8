import type { VantagePoint } from './catalogue.js';

/** Returns the name prefixes, in lower case, of the carrier of a vantage point. A match with any of them is enough. */
export function carrierNames({ code, flag }: VantagePoint): readonly string[] {
  return (flag === 'CN' ? MAINLAND[code % 10] : ABROAD[code]) ?? [];
}

/** Returns the ISO 3166-2:CN code after the hyphen. Absent for a vantage point outside mainland China. */
export function provinceOf({ code, flag }: VantagePoint): string | undefined {
  return flag === 'CN' ? PROVINCES[Math.floor(code / 10) % 100] : undefined;
}

/** Carriers of mainland China by the last digit of the vantage point's code. */
const MAINLAND: Readonly<Record<number, readonly string[]>> = {
  1: ['china telecom'],
  2: ['china unicom'],
  3: ['china mobile'],
  4: ['cernet', 'china education and research network'],
};

/** Provinces by their GB/T 2260 code. */
// prettier-ignore
const PROVINCES: Readonly<Record<number, string>> = {
  11: 'BJ', 12: 'TJ', 13: 'HE', 14: 'SX', 15: 'NM', 21: 'LN', 22: 'JL', 23: 'HL', 31: 'SH', 32: 'JS',
  33: 'ZJ', 34: 'AH', 35: 'FJ', 36: 'JX', 37: 'SD', 41: 'HA', 42: 'HB', 43: 'HN', 44: 'GD', 45: 'GX',
  46: 'HI', 50: 'CQ', 51: 'SC', 52: 'GZ', 53: 'YN', 54: 'XZ', 61: 'SN', 62: 'GS', 63: 'QH', 64: 'NX',
  65: 'XJ',
};

/** Carriers abroad: registered names and brands. RIRs often list only a subsidiary or a network name. */
const ABROAD: Readonly<Record<number, readonly string[]>> = {
  34401: ['hong kong broadband', 'hkbn'],
  34402: ['hgc', 'hutchison global'],
  44601: ['ctm', 'companhia de telecomunicacoes de macau'],
  15801: ['chunghwa', 'hinet'],
  15802: ['far eastone', 'fareastone', 'new century infocomm', 'seednet', 'digital united'],
  39201: ['internet initiative japan', 'iij'],
  39202: ['kddi'],
  41001: ['korea telecom', 'kt corp'],
  41002: ['sk broadband'],
  41003: ['lg dacom', 'lg u'],
  70201: ['singnet', 'singtel', 'singapore telecom'],
  70202: ['starhub'],
  45801: ['tm technology', 'tm net', 'telekom malaysia'],
  76401: ['triple t', '3bb'],
  70401: ['viettel'],
  70402: ['vnpt', 'vietnam posts'],
  36001: ['pt telekomunikasi', 'telkom', 'telekomunikasi'],
  35601: ['bharti', 'airtel'],
  35602: ['reliance jio', 'jio'],
  3601: ['telstra'],
  55401: ['spark'],
  84001: ['comcast'],
  84002: ['att-', 'at&t'],
  84003: ['level3', 'level 3', 'lumen', 'centurylink'],
  84004: ['cox', 'asn-cxa'],
  12401: ['rogers'],
  7601: ['telefonica', 'vivo'],
  48401: ['uninet', 'telmex', 'telefonos de mexico'],
  82601: ['british telecom', 'bt'],
  82602: ['virgin media'],
  27601: ['deutsche telekom'],
  25001: ['orange', 'france telecom'],
  25002: ['free', 'proxad'],
  38001: ['telecom italia', 'tim'],
  72401: ['telefonica'],
  52801: ['kpn'],
  64301: ['yandex'],
  79201: ['turk telekom', 'türk telekom', 'tt'],
  78401: ['emirates telecom', 'etisalat'],
  71001: ['saix', 'telkom', 'openserve'],
  81801: ['te data', 'te-', 'telecom egypt'],
};

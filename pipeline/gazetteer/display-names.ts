import type { PlaceNames } from './place.js';

/**
 * The display names of places with a disputed name, by ISO 3166-1 code. Change them only here. They have precedence
 * over every source.
 */
export const SPECIAL_DISPLAY_NAMES: Readonly<Record<string, PlaceNames>> = {
  HK: { en: 'Hong Kong', 'zh-CN': '香港' },
  MO: { en: 'Macao', 'zh-CN': '澳门' },
  TW: { en: 'Taiwan', 'zh-CN': '台湾' },
};

/** The names of the continents, by GeoNames code. */
export const CONTINENT_NAMES: Readonly<Record<string, PlaceNames>> = {
  AF: { en: 'Africa', 'zh-CN': '非洲' },
  AN: { en: 'Antarctica', 'zh-CN': '南极洲' },
  AS: { en: 'Asia', 'zh-CN': '亚洲' },
  EU: { en: 'Europe', 'zh-CN': '欧洲' },
  NA: { en: 'North America', 'zh-CN': '北美洲' },
  OC: { en: 'Oceania', 'zh-CN': '大洋洲' },
  SA: { en: 'South America', 'zh-CN': '南美洲' },
};

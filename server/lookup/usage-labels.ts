import type { Language } from './language.js';

/** What the usage codes are called, by language; a code that is not here is shown as it is. */
const USAGE_LABELS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  COM: { en: 'Commercial', zh: '商业' },
  ORG: { en: 'Organization', zh: '组织机构' },
  GOV: { en: 'Government', zh: '政府' },
  MIL: { en: 'Military', zh: '军事' },
  EDU: { en: 'Education', zh: '教育' },
  LIB: { en: 'Library', zh: '图书馆' },
  CDN: { en: 'Content delivery network', zh: '内容分发网络' },
  ISP: { en: 'Fixed-line ISP', zh: '固定宽带' },
  MOB: { en: 'Mobile network', zh: '移动网络' },
  DCH: { en: 'Data center', zh: '数据中心' },
  SES: { en: 'Search engine spider', zh: '搜索引擎爬虫' },
  RSV: { en: 'Reserved', zh: '保留地址' },
};

/** The label of a usage type; of one made of several codes (`ISP/MOB`) their labels, joined the same way. */
export function usageLabel(usageType: string, language: Language): string {
  return usageType
    .split('/')
    .map((code) => USAGE_LABELS[code]?.[language] ?? code)
    .join('/');
}

import type { IncomingMessage } from 'node:http';
import type { Language } from '../../pipeline/record/language.js';

/**
 * Returns the language of a page: the parameter `lang`, else the first of Chinese and English that the browser lists
 * (RFC 9110 §12.5.4; weights are not read, because browsers list languages in the order of their weights).
 */
export function pageLanguage({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): Language {
  const asked = /[?&]lang=(zh|en)\b/i.exec(url)?.[1];
  if (asked !== undefined) return asked.toLowerCase() === 'zh' ? 'zh' : 'en';
  const first = /\b(zh|en)\b/i.exec(headers['accept-language'] ?? '')?.[1];
  return first?.toLowerCase() === 'zh' ? 'zh' : 'en';
}

/** Returns the language tag of a page (RFC 5646). */
export function htmlLanguage(language: Language): string {
  return language === 'zh' ? 'zh-CN' : 'en';
}

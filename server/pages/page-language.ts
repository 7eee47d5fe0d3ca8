import type { IncomingHttpHeaders } from 'node:http';
import type { Language } from '../../pipeline/record/language.js';

/** The language as a visitor asks for it. */
interface Asked {
  /** The parameter `lang`. */
  readonly lang: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Returns the language of a page: the parameter `lang`, else the first of Chinese and English that the browser lists
 * (RFC 9110 §12.5.4; weights are not read, because browsers list languages in the order of their weights).
 */
export function pageLanguage({ lang, headers }: Asked): Language {
  const [, asked] = /^(zh|en)\b/i.exec(lang ?? '') ?? [];
  if (asked !== undefined) return asked.toLowerCase() === 'zh' ? 'zh' : 'en';
  const first = /\b(zh|en)\b/i.exec(headers['accept-language'] ?? '')?.[1];
  return first?.toLowerCase() === 'zh' ? 'zh' : 'en';
}

/** Returns the language tag of a page (RFC 5646). */
export function htmlLanguage(language: Language): string {
  return language === 'zh' ? 'zh-CN' : 'en';
}

import { z } from 'zod';
import type { Names } from '../release/records.js';

/** Languages of the answers. */
export type Language = 'zh' | 'en';

/** The `lang` parameter: its primary subtag (RFC 5646) in any case; whatever is not English is Chinese (ruling 15). */
export const languageSchema = z
  .string()
  .optional()
  .transform(languageOf)
  .describe('`zh` or `en`; `zh` when it is neither');

/** What a `lang` parameter asks for. */
export function languageOf(text: string | undefined): Language {
  if (text === undefined) return 'zh';
  return text === 'en' || /^en(?:[-_]|$)/i.test(text) ? 'en' : 'zh';
}

/** The name in a language, else in the other one; absent when there is none. */
export function nameIn(language: Language, names: Names | undefined): string | undefined {
  if (names === undefined) return undefined;
  return language === 'zh' ? (names['zh-CN'] ?? names.en) : (names.en ?? names['zh-CN']);
}

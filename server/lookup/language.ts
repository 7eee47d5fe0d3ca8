import { z } from 'zod';
import type { Language } from '../../pipeline/record/language.js';

/**
 * The `lang` parameter. Only the primary subtag counts (RFC 5646), in any case. All but English is Chinese (decision
 * 15).
 */
export const languageSchema = z
  .string()
  .optional()
  .transform(languageOf)
  .describe('`zh` or `en`; `zh` for all other values');

/** Parses a `lang` parameter. */
export function languageOf(text: string | undefined): Language {
  if (text === undefined) return 'zh';
  return text === 'en' || /^en(?:[-_]|$)/i.test(text) ? 'en' : 'zh';
}

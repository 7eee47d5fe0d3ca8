import type { Language } from '../../../pipeline/record/language.js';

/**
 * Joins the names of a place, the smallest area first: `Nanjing, Jiangsu, China`, in Chinese 中国江苏省南京市. Repeated and
 * empty names are left out.
 */
export function placeName(names: readonly string[], language: Language): string {
  const known = names.filter((name, i) => name !== '' && names.indexOf(name) === i);
  if (language === 'en') return known.join(', ');
  return known.reduceRight((whole, name) => `${whole}${isChinese(whole, name) ? '' : ' '}${name}`, '').trim();
}

/** Whether no space is written between two names. Some names are only known in Latin letters. */
function isChinese(before: string, after: string): boolean {
  return /\p{Script=Han}$/u.test(before) && /^\p{Script=Han}/u.test(after);
}

import type { PlaceNames } from '../gazetteer/gazetteer.js';

/** A feed's own spelling of a place that no gazetteer knows, as the name in the language whose script it has. */
export function namesAsSpelled(text: string): PlaceNames {
  return /\p{Script=Han}/u.test(text) ? { 'zh-CN': text } : { en: text };
}

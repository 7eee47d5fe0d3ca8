import { z } from 'zod';
import { seeOther } from '../../http/answer.js';
import { definePage } from '../define-page.js';
import { localised } from '../layout.js';
import { lookupPath } from './links.js';

/** Longer texts are no target. */
const LONGEST = 253;

/** GET /lookup?q= -> 303 to the page about the target; to `/` without one */
export const search = definePage({
  paths: ['/lookup'],
  name: 'searchPage',
  query: z.object({ q: z.string().trim().max(LONGEST, `q is longer than ${LONGEST} characters`).optional() }),
  answer({ query: { q = '' }, language }) {
    return seeOther(localised(q === '' ? '/' : lookupPath(withoutScheme(q)), language));
  },
});

/** Returns the host of a pasted URL, and other text unchanged. */
function withoutScheme(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text;
  return new URL(text).hostname.replace(/^\[|\]$/g, '');
}

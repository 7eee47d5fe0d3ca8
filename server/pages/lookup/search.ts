import { z } from 'zod';
import { seeOther } from '../../http/answer.js';
import { definePage } from '../define-page.js';
import { localised } from '../layout.js';
import { lookupPath } from './links.js';
import { targetIn } from './target-in.js';

/** The longest host name (RFC 1035 §2.3.4). */
const LONGEST = 253;

/** GET /lookup?q= -> 303 to the page about the target; to `/` without one */
export const search = definePage({
  paths: ['/lookup'],
  name: 'searchPage',
  query: z.object({ q: z.string().trim().max(LONGEST, `q is longer than ${LONGEST} characters`).optional() }),
  answer({ query: { q = '' }, language }) {
    return seeOther(localised(q === '' ? '/' : lookupPath(targetIn(q)), language));
  },
});

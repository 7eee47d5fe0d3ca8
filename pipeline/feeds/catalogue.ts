import type { Feed } from './feed.js';
import { geolite2 } from './geolite2.js';
import { own } from './own.js';

/** Every feed that can be built from, in no order of precedence: that is the merge's business. */
export const FEEDS: readonly Feed[] = [own, geolite2];

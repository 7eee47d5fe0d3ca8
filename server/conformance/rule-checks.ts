import type { Check } from './check.js';
import { ACCESS_RULES } from './access-rules.js';
import { HEADER_RULES, LAST_RULES } from './header-rules.js';
import { LIVE_RULES } from './live-rules.js';
import { NETWORK_RULES } from './network-rules.js';
import { TARGET_RULES } from './target-rules.js';

/** The rules, with those last that spend a whole limit or look back at every answer. */
export const RULES: readonly Check[] = [
  ...[...TARGET_RULES, ...NETWORK_RULES, ...LIVE_RULES, ...ACCESS_RULES, ...HEADER_RULES, ...LAST_RULES],
];

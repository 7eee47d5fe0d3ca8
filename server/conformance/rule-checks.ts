import { ACCESS_RULES } from './access-rules.js';
import type { Rule } from './check.js';
import { DNS_RULES } from './dns-rules.js';
import { DOWNLOAD_RULES } from './download-rules.js';
import { GLOBAL_DNS_RULES } from './global-dns-rules.js';
import { HEADER_RULES, LAST_RULES } from './header-rules.js';
import { METERING_RULES } from './metering-rules.js';
import { NETWORK_RULES } from './network-rules.js';
import { PROBE_LIMIT_RULES } from './probe-limit-rules.js';
import { PROBE_RULES } from './probe-rules.js';
import { RECORD_RULES } from './record-rules.js';
import { TARGET_RULES } from './target-rules.js';
import { UPDATE_RULES } from './update-rules.js';
import { WHOIS_RULES } from './whois-rules.js';

/** All rules. Those that use up a limit or check every response come last. */
export const RULES: readonly Rule[] = [
  ...TARGET_RULES,
  ...RECORD_RULES,
  ...NETWORK_RULES,
  ...WHOIS_RULES,
  ...DNS_RULES,
  ...GLOBAL_DNS_RULES,
  ...PROBE_RULES,
  ...PROBE_LIMIT_RULES,
  ...METERING_RULES,
  ...ACCESS_RULES,
  ...DOWNLOAD_RULES,
  ...UPDATE_RULES,
  ...HEADER_RULES,
  ...LAST_RULES,
];

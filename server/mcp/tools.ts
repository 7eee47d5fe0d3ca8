import { globalDns } from './global-dns-tool.js';
import { lookup, sources } from './lookup-tools.js';
import { dns, tcping, whois } from './query-tools.js';
import { routeAndAs } from './route-tool.js';
import type { Tool } from './tool.js';

/** All tools, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [lookup, sources, routeAndAs, whois, dns, globalDns, tcping];

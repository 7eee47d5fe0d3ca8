import { AWS } from './cloud/aws.js';
import { AZURE } from './cloud/azure.js';
import { CLOUDFLARE } from './cloud/cloudflare.js';
import { DIGITALOCEAN } from './cloud/digitalocean.js';
import { FASTLY } from './cloud/fastly.js';
import { GCP } from './cloud/gcp.js';
import { GITHUB } from './cloud/github.js';
import { LINODE } from './cloud/linode.js';
import { ORACLE } from './cloud/oracle.js';
import { VULTR } from './cloud/vultr.js';
import { ZSCALER } from './cloud/zscaler.js';
import type { List } from './list.js';
import { APPLE_RELAY } from './proxy/apple-relay.js';
import { BLOCKLIST_DE } from './proxy/blocklist-de.js';
import { CN_CARRIERS } from './proxy/cn-carriers.js';
import { CRAWLERS } from './proxy/crawlers.js';
import { IP2PROXY } from './proxy/ip2proxy.js';
import { IPSUM } from './proxy/ipsum.js';
import { MULLVAD } from './proxy/mullvad.js';
import { NORDVPN } from './proxy/nordvpn.js';
import { OPEN_PROXIES } from './proxy/open-proxies.js';
import { OPERATOR_LISTS } from './proxy/operator-lists.js';
import { PROTON } from './proxy/proton.js';
import { SPAMHAUS } from './proxy/spamhaus.js';
import { TOR } from './proxy/tor.js';
import { X4BNET } from './proxy/x4bnet.js';

/** The lists of proxies, threats, clouds and carriers, in the order of reports. */
// prettier-ignore
export const LISTS: readonly List[] = [
  OPERATOR_LISTS, TOR, IP2PROXY, MULLVAD, NORDVPN, PROTON, APPLE_RELAY, ZSCALER,
  X4BNET, OPEN_PROXIES, CRAWLERS, SPAMHAUS, IPSUM, BLOCKLIST_DE,
  AWS, GCP, AZURE, ORACLE, CLOUDFLARE, FASTLY, DIGITALOCEAN, LINODE, VULTR, GITHUB,
  CN_CARRIERS,
];

/** Returns the list with this id, or undefined. */
export function listById(id: string): List | undefined {
  return LISTS.find((list) => list.id === id);
}

import { dbip } from './dbip.js';
import type { Feed } from './feed.js';
import { geolite2 } from './geolite2/geolite2.js';
import { ip2location } from './ip2location.js';
import { ip2region } from './ip2region/ip2region.js';
import { ipapi } from './ipapi/ipapi.js';
import { ipinfo } from './ipinfo.js';
import { own } from './own/own.js';
import { qqwry } from './qqwry/qqwry.js';

/** The geolocation feeds, in the order of FEED_IDS. Their precedence is in `merge/precedence.ts`. */
export const FEEDS: readonly Feed[] = [own, geolite2, dbip, ip2location, ipapi, ipinfo, ip2region, qqwry];

import { dbip } from './dbip.js';
import type { Feed } from './feed.js';
import { geolite2 } from './geolite2.js';
import { ip2location } from './ip2location.js';
import { ip2region } from './ip2region.js';
import { ipapi } from './ipapi.js';
import { ipinfo } from './ipinfo.js';
import { own } from './own.js';
import { qqwry } from './qqwry.js';

/** Every feed that can be built from, in no order of precedence: that is the merge's business. */
export const FEEDS: readonly Feed[] = [own, geolite2, dbip, ip2location, ipapi, ipinfo, ip2region, qqwry];

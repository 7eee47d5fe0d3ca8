/** The ids of the geolocation feeds in file names, reports and answers. */
export const FEED_IDS = [
  'own',
  'geolite2',
  'dbip',
  'ip2location',
  'ipapi',
  'ipinfo',
  'ip2region',
  'qqwry',
] as const;

/** The id of a geolocation feed. */
export type FeedId = (typeof FEED_IDS)[number];

/** The feeds with ISP names, in order of precedence: our own, then those that cover China best. */
export const ISP_FEEDS: readonly string[] = ['own', 'ip2region', 'qqwry', 'ipinfo'];

/** The eight geolocation databases, as they are named in files, reports and verdicts. */
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

export type FeedId = (typeof FEED_IDS)[number];

/** Geolocation feeds that name ISPs, in order of precedence: what a person wrote, then those who know China best. */
export const ISP_FEEDS: readonly string[] = ['own', 'ip2region', 'qqwry', 'ipinfo'];

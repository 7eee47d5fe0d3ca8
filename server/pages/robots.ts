import type { Asset } from '../http/site.js';

/**
 * What crawlers leave out. Pages of targets link to each other without end, and each of them costs questions to registries
 * and name servers of others; each page of answers costs one per place.
 */
const LEFT_OUT = ['/lookup', '/global-dns/answers'];

/** `/robots.txt`. */
export const ROBOTS: Asset = {
  path: '/robots.txt',
  body: `User-agent: *\n${LEFT_OUT.map((path) => `Disallow: ${path}\n`).join('')}`,
  type: 'text/plain; charset=utf-8',
  caching: 'public, max-age=86400',
};

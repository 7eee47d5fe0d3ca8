import type { DatasetOrigin } from '../release/snapshot.js';

/**
 * Returns the header with the licences of a dataset's sources, as links of the relation `license` (RFC 8288, RFC 4946).
 * Empty without a licence that has a web address.
 */
export function licenceLink({ licences }: Pick<DatasetOrigin, 'licences'>): Record<string, string> {
  const addresses = licences.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).href] : []));
  const links = [...new Set(addresses)].map((address) => `<${address}>; rel="license"`);
  return links.length === 0 ? {} : { Link: links.join(', ') };
}

import { parse } from 'tldts';

/**
 * Returns the registrable domain of a website's address as published by PeeringDB, by the public suffix list:
 * `example.co.uk` for `https://www.example.co.uk/peering`. Returns undefined for other texts, for IP addresses, and for
 * names without a public suffix in ICANN's part of the list.
 */
export function domainOfWebsite(website: string): string | undefined {
  const host = hostOf(website.trim());
  if (host === undefined) return undefined;
  const { domain, isIcann, isIp } = parse(host);
  return isIp === true || isIcann !== true || domain === null ? undefined : domain;
}

/** Returns the host in lower case and A-labels. The scheme may be missing. */
function hostOf(website: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(website) ? website : `http://${website}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
  const { hostname, username } = new URL(address);
  // `mailto:noc@example.net` would parse as a host with a user name.
  return hostname === '' || username !== '' ? undefined : hostname;
}

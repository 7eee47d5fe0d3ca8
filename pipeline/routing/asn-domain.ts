import { parse } from 'tldts';

/**
 * The registrable domain of a website's address as PeeringDB publishes it, by the public suffix list:
 * `https://www.example.co.uk/peering` is `example.co.uk`. Absent for what is no web address, for IP addresses, and for
 * names under no public suffix of ICANN's part of the list.
 */
export function domainOfWebsite(website: string): string | undefined {
  const host = hostOf(website.trim());
  if (host === undefined) return undefined;
  const { domain, isIcann, isIp } = parse(host);
  return isIp === true || isIcann !== true || domain === null ? undefined : domain;
}

/** The host in lower case and A-labels. Some write no scheme. */
function hostOf(website: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(website) ? website : `http://${website}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
  const { hostname, username } = new URL(address);
  // `mailto:noc@example.net` reads as a host with a user.
  return hostname === '' || username !== '' ? undefined : hostname;
}

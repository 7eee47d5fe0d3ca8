import { isIP } from 'node:net';

/**
 * The registrable domain of a website's address as PeeringDB publishes it: `https://www.example.co.uk/peering` is
 * `example.co.uk`. Absent for what is no web address, for IP addresses and names without a dot.
 *
 * Where registrations are made on the third level is told by the labels that countries use for it, not by a list of
 * all public suffixes.
 */
export function domainOfWebsite(website: string): string | undefined {
  const host = hostOf(website.trim());
  if (host === undefined || isIP(host) !== 0 || host.startsWith('[')) return undefined;
  const labels = host.replace(/\.$/, '').split('.');
  if (labels.length < 2 || labels.some((label) => label === '')) return undefined;
  const [second, top] = labels.slice(-2);
  const kept = top!.length === 2 && SECOND_LEVEL.has(second!) ? 3 : 2;
  return labels.slice(-kept).join('.');
}

/** Labels below a country's top level under which names are registered: `co.uk`, `com.cn`, `ad.jp`, … */
const SECOND_LEVEL: ReadonlySet<string> = new Set(
  'ac ad co com ed edu ernet firm gen go gob gov gouv gr gub gv in ind info ltd me mil ne net nic nom or org plc re res sch web'.split(
    ' ',
  ),
);

/** The host in lower case and A-labels. Some write no scheme. */
function hostOf(website: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(website) ? website : `http://${website}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
  const { hostname, username } = new URL(address);
  // `mailto:noc@example.net` reads as a host with a user.
  return hostname === '' || username !== '' ? undefined : hostname;
}

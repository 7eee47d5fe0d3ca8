import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { DownloadError } from './download-error.js';

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * Resolves a name for a connection, as `dns.lookup`. Fails with DownloadError `insecure` if any of its addresses is not
 * public: a name that others chose must not reach services of this machine or its network.
 */
export function lookupPublic(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const reserved = error ? undefined : addresses.find(({ address }) => !isPublic(address));
    if (error) callback(error, []);
    else if (reserved) callback(notPublic(hostname, reserved.address), []);
    else if (options.all === true) callback(null, addresses);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  });
}

/** Throws DownloadError `insecure` for a URL with an address as its host, which is never looked up. */
export function refuseAddress({ host, hostname }: URL): void {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return;
  throw new DownloadError('insecure', `${host} is an address: expected a name`);
}

/** Whether an address is globally reachable by IANA's special-purpose registries (RFC 6890). */
export function isPublic(address: string): boolean {
  if (!isIPv6(address)) return isIP(address) === 4 && !RESERVED.check(address, 'ipv4');
  return UNICAST.check(address, 'ipv6') && !RESERVED.check(address, 'ipv6');
}

function notPublic(hostname: string, address: string): DownloadError {
  return new DownloadError('insecure', `${hostname} has the address ${address}, which is not public`);
}

const UNICAST = new BlockList();
UNICAST.addSubnet('2000::', 3, 'ipv6');

/** Without blocks outside of 2000::/3, which are not unicast. 2002::/16 (6to4) contains private IPv4 addresses. */
const RESERVED = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

function blockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [network = '', bits] = block.split('/');
    list.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4');
  }
  return list;
}

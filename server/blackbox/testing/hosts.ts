import type { DnsReply } from '../../testing/dns-server.js';

/** DNS answers for tests: a name with an address, one with SERVFAIL, a silent one. All others are NXDOMAIN. */
export const SMALL_HOSTS: Readonly<Record<string, DnsReply>> = {
  'one.example.com': { addresses: ['1.1.1.1'] },
  'broken.example.com': 'servfail',
  'silent.example.com': 'silence',
};

import type { DnsReply } from '../../testing/dns-server.js';

/** Names for tests: one that is there, and one whose name server fails; all others are NXDOMAIN. */
export const SMALL_HOSTS: Readonly<Record<string, DnsReply>> = {
  'one.example.com': { addresses: ['1.1.1.1'] },
  'broken.example.com': 'servfail',
  'silent.example.com': 'silence',
};

import { z } from 'zod';
import { readJsonFile } from '../../input/json-file.js';
import { vpnBrand, type ServerSink } from './vpn-brand.js';

/**
 * NordVPN's servers (https://api.nordvpn.com/v1/servers): the addresses that clients connect to, which may differ from
 * those that websites see.
 */
export const NORDVPN = vpnBrand({
  id: 'nordvpn',
  publisher: 'nordvpn S.A.',
  provider: 'NordVPN',
  licence: {
    name: 'no terms stated',
    url: 'https://nordvpn.com/terms-of-service/',
    terms: 'unstated',
  },
  cadence: 'continuous',
  file: {
    name: 'servers.json',
    // 6 KB for each of some 8,000 servers.
    maxUnpackedBytes: 128_000_000,
    // Without `limit=0` the answer has only 100 servers.
    download: { url: 'https://api.nordvpn.com/v1/servers?limit=0', minBytes: 1_000_000 },
  },
  sharedName: 'nordvpn-servers.json',
  readServers: async (file, servers) => {
    const values = await readJsonFile(file, z.array(z.unknown()));
    values.forEach((value, n) => {
      readServer(value, n + 1, servers);
    });
  },
});

const serverSchema = z.object({
  status: z.string(),
  ips: z.array(z.object({ ip: z.object({ ip: z.string() }) })),
});
const KEYS = ['hostname', 'status', 'ips', 'ip'];

function readServer(value: unknown, position: number, servers: ServerSink): void {
  const { data: server } = serverSchema.safeParse(value);
  if (!server) servers.reject(value, position, KEYS);
  else if (server.status !== 'online') servers.skip();
  else if (server.ips.length === 0) servers.unknown();
  else for (const { ip } of server.ips) servers.address(ip.ip, position);
}

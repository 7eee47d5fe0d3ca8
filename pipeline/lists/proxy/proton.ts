import { z } from 'zod';
import { FeedError } from '../../input/feed-error.js';
import { readJsonFile } from '../../input/json-file.js';
import { vpnBrand, type ServerSink } from './vpn-brand.js';

/**
 * Proton VPN's logical servers (`/vpn/logicals` of Proton's API). The API requires a login, so the file is provided by
 * hand. Only exit addresses are read: websites rarely see the address that clients connect to (`EntryIP`).
 */
export const PROTON = vpnBrand({
  id: 'proton',
  publisher: 'Proton AG',
  provider: 'ProtonVPN',
  licence: {
    name: 'no terms stated',
    url: 'https://proton.me/legal/terms',
    terms: 'unstated',
  },
  cadence: 'continuous',
  file: { name: 'logicals.json' },
  sharedName: 'protonvpn-logicals.json',
  readServers: async (file, servers) => {
    const { LogicalServers: logicals, ResponseMetadata: answer } = await readJsonFile(file, documentSchema);
    if (answer?.ListIsTruncated === true) {
      throw new FeedError(
        'truncated',
        file.id,
        'the publisher marks the list as truncated (ListIsTruncated)',
      );
    }
    logicals.forEach((value, n) => {
      readLogical(value, n + 1, servers);
    });
  },
});

const documentSchema = z.object({
  LogicalServers: z.array(z.unknown()),
  ResponseMetadata: z.object({ ListIsTruncated: z.boolean().optional() }).nullish(),
});

/** `Status` is 1 while a server is up. */
const logicalSchema = z.object({ Status: z.int(), Servers: z.array(z.unknown()) });
const serverSchema = z.object({ ExitIP: z.string(), Status: z.int() });
const UP = 1;
const KEYS = ['Name', 'Status', 'ExitIP'];

function readLogical(value: unknown, position: number, servers: ServerSink): void {
  const { data: logical } = logicalSchema.safeParse(value);
  if (!logical) {
    servers.reject(value, position, KEYS);
    return;
  }
  if (logical.Servers.length === 0) servers.unknown();
  for (const one of logical.Servers) {
    const { data: server } = serverSchema.safeParse(one);
    if (!server) servers.reject(one, position, KEYS);
    else if (logical.Status !== UP || server.Status !== UP) servers.skip();
    else servers.address(server.ExitIP, position);
  }
}

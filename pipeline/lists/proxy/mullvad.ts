import { z } from 'zod';
import { readJsonFile } from '../../input/json-file.js';
import { vpnBrand, type ServerSink } from './vpn-brand.js';

/**
 * Mullvad's relays (https://api.mullvad.net/app/v1/relays), or the same as one array (/www/relays/all/). The published
 * addresses are those that clients connect to, which may differ from those that websites see. `provider` of a relay is
 * its hosting company.
 */
export const MULLVAD = vpnBrand({
  id: 'mullvad',
  publisher: 'Mullvad VPN AB',
  provider: 'Mullvad',
  licence: {
    name: 'no terms stated',
    url: 'https://api.mullvad.net/app/documentation/',
    terms: 'unstated',
  },
  cadence: 'continuous',
  file: {
    name: 'relays.json',
    download: { url: 'https://api.mullvad.net/app/v1/relays', minBytes: 50_000 },
  },
  sharedName: 'mullvad-relays.json',
  readServers: async (file, servers) => {
    const document = await readJsonFile(file, documentSchema);
    let position = 0;
    for (const value of relaysOf(document)) readRelay(value, ++position, servers);
  },
});

const relays = z.object({ relays: z.array(z.unknown()) }).optional();
const documentSchema = z.union([
  z.array(z.unknown()),
  z.object({ wireguard: z.object({ relays: z.array(z.unknown()) }), openvpn: relays, bridge: relays }),
]);

const address = z.string().nullish();
const addresses = z.array(z.string()).nullish();
const relaySchema = z.object({
  active: z.boolean(),
  ipv4_addr_in: z.string(),
  ipv6_addr_in: address,
  shadowsocks_extra_addr_in: addresses,
  features: z.object({ quic: z.object({ addr_in: addresses }).nullish() }).nullish(),
});
const KEYS = ['hostname', 'active', 'ipv4_addr_in', 'ipv6_addr_in', 'shadowsocks_extra_addr_in'];

function relaysOf(document: z.infer<typeof documentSchema>): readonly unknown[] {
  if (Array.isArray(document)) return document;
  const { wireguard, openvpn, bridge } = document;
  return [...wireguard.relays, ...(openvpn?.relays ?? []), ...(bridge?.relays ?? [])];
}

function readRelay(value: unknown, position: number, servers: ServerSink): void {
  const { data: relay } = relaySchema.safeParse(value);
  if (!relay) {
    servers.reject(value, position, KEYS);
    return;
  }
  if (!relay.active) {
    servers.skip();
    return;
  }
  servers.address(relay.ipv4_addr_in, position);
  if (relay.ipv6_addr_in) servers.address(relay.ipv6_addr_in, position);
  for (const extra of relay.shadowsocks_extra_addr_in ?? []) servers.address(extra, position);
  for (const extra of relay.features?.quic?.addr_in ?? []) servers.address(extra, position);
}

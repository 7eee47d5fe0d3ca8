/** Brands in IP2Proxy's spelling, with the other spellings that lists use. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  NordVPN: ['Nord', 'Nord VPN'],
  ExpressVPN: ['Express VPN'],
  'Private Internet Access': ['PIA', 'PIA VPN', 'Private Internet Access VPN'],
  'SurfShark VPN': ['Surfshark'],
  ProtonVPN: ['Proton', 'Proton VPN'],
  Mullvad: ['Mullvad VPN'],
  HideMyAss: ['HMA', 'HMA VPN', 'Hide My Ass', 'HideMyAss VPN'],
  TunnelBear: ['TunnelBear VPN'],
  'CloudFlare WARP': ['WARP', 'Cloudflare 1.1.1.1 WARP'],
  'VPN by Google': ['Google VPN', 'Google One VPN', 'VPN by Google One'],
  'SoftEther VPN': ['SoftEther'],
  'Apple iCloud Private Relay': ['iCloud Private Relay', 'Apple Private Relay', 'Private Relay'],
  'Google Chrome IP Protection': ['Chrome IP Protection', 'Google IP Protection'],
  Zscaler: ['Zscaler Internet Access', 'ZIA'],
  Netskope: [],
  'Palo Alto Networks': ['Palo Alto', 'Prisma Access'],
  Webshare: ['Webshare.io'],
  Oxylabs: ['Oxylabs.io'],
};

const BY_KEY: ReadonlyMap<string, string> = new Map(
  Object.entries(SPELLINGS).flatMap(([name, others]) =>
    [name, ...others].map((spelling): [string, string] => [keyOf(spelling), name]),
  ),
);

/** Returns a brand in IP2Proxy's spelling, ignoring case, spaces and dashes; unknown names unchanged. */
export function providerName(name: string): string {
  return Object.hasOwn(SPELLINGS, name) ? name : (BY_KEY.get(keyOf(name)) ?? name);
}

function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The regional registry behind the first host that is one's, in capitals (ruling 27); `''` behind none. */
export function registryNameOf(hosts: readonly string[]): string {
  for (const host of hosts) {
    const found = REGISTRIES.find(([, domain]) => isBelow(host.toLowerCase(), domain));
    if (found) return found[0];
  }
  return '';
}

const REGISTRIES = [
  ['AFRINIC', 'afrinic.net'],
  ['APNIC', 'apnic.net'],
  ['ARIN', 'arin.net'],
  ['LACNIC', 'lacnic.net'],
  ['RIPE', 'ripe.net'],
] as const;

function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

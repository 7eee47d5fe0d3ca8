/** Groups of operations, in the order of the catalogue, and what they are for. */
const TAGS: Readonly<Record<string, string>> = {
  'Own IP': 'What is known about the address of the caller. No key; for scripts and browsers.',
  'IP lookup': 'Location, network and risk of any address or host name: merged, by source, or in batches.',
  'Whois and DNS': 'Registrations by RDAP and whois, and the DNS records of a name.',
  'Network probing': 'TCP connections from this server or from a probe node.',
  'BGP and ASN': 'Autonomous systems, prefixes and their neighbours, from route collectors and PeeringDB.',
  'Network tools': 'The probe nodes that are online.',
  'Global DNS': 'DNS answers as clients in other regions get them, by DNS over HTTPS with a client subnet.',
  Account: 'The account of the key, its limits and its usage. These calls cost no credits.',
  Datasets: 'The MMDB files of the release, and what changed in them. For keys of the enterprise plan.',
  Updates: 'The protocol of geoipupdate, for programs that update GeoIP2 databases.',
  MCP: 'The tools for models, by the Model Context Protocol.',
  Operation: 'Health, readiness and this document.',
};

/** Returns the tag objects of some names. Throws if a tag has no description. */
export function tagsOf(names: readonly string[]): readonly { name: string; description: string }[] {
  return [...new Set(names)].map((name) => {
    const description = TAGS[name];
    if (description === undefined) throw new Error(`no description for the tag ${name}`);
    return { name, description };
  });
}

import type { Download, PublishedFile } from './published-source.js';

/** The folder of the collectors' dumps in the input directory: `rib/<collector>/<file>`. */
export const RIB_FOLDER = 'rib';

/** The default collectors, on several continents. With fewer, links of AS4809, AS9929 and AS58807 are not visible. */
export const DEFAULT_COLLECTORS: readonly string[] = ['rrc00', 'rrc12', 'rrc21', 'route-views.sg'];

/** Whether a text has the form of a collector name of RIPE RIS (`rrc00`) or RouteViews (`route-views.sg`). */
export function isCollector(name: string): boolean {
  return /^(?:rrc\d\d|route-views(?:\d{1,2}|(?:\.[a-z0-9]+)+)?)$/.test(name);
}

/** Returns the newest dump of each collector as a file. Throws TypeError for an invalid collector name. */
export function ribDownloads(collectors: readonly string[]): PublishedFile[] {
  return collectors.map((collector) => {
    if (!isCollector(collector)) {
      const expected = 'expected a name like rrc00 or route-views.sg';
      throw new TypeError(`invalid collector ${JSON.stringify(collector)}: ${expected}`);
    }
    const dump = collector.startsWith('rrc') ? risDump(collector) : routeViewsDump(collector);
    return { folder: RIB_FOLDER, required: false, take: 'latest', maxUnpackedBytes: 32_000_000_000, ...dump };
  });
}

/** The downloads of registries, AS names, VRPs and PeeringDB, by file name. */
export const DOWNLOADS: Readonly<Record<string, Download>> = {
  ...delegations('afrinic', 'https://ftp.afrinic.net/pub/stats/afrinic'),
  ...delegations('apnic', 'https://ftp.apnic.net/stats/apnic'),
  ...delegations('arin', 'https://ftp.arin.net/pub/stats/arin'),
  ...delegations('lacnic', 'https://ftp.lacnic.net/pub/stats/lacnic'),
  ...delegations('ripencc', 'https://ftp.ripe.net/pub/stats/ripencc'),
  ...assignments('iana-ipv4-special-registry', 4_000),
  ...assignments('iana-ipv6-special-registry', 4_000),
  ...assignments('ipv4-address-space', 20_000),
  ...assignments('ipv6-unicast-address-assignments', 5_000),
  ...assignments('as-numbers', 5_000),
  'asn.txt': { url: 'https://ftp.ripe.net/ripe/asnames/asn.txt', minBytes: 1_000_000 },
  'vrps.csv': {
    url: 'https://console.rpki-client.org/vrps.csv',
    minBytes: 5_000_000,
    fallback: { url: 'https://rpki.cloudflare.com/rpki.json', saveAs: 'rpki.json', minBytes: 15_000_000 },
  },
  ...peeringDb('net', 5_000_000),
  ...peeringDb('fac', 1_000_000),
  ...peeringDb('ix', 200_000),
  ...peeringDb('ixlan', 100_000),
  ...peeringDb('ixpfx', 100_000),
  ...peeringDb('netixlan', 2_000_000),
};

/** Returns the file with its download, if it has one. */
export function withDownload(file: PublishedFile): PublishedFile {
  const download = DOWNLOADS[file.name];
  return download ? { ...file, download } : file;
}

type Dump = Pick<PublishedFile, 'name' | 'container' | 'download'>;

/** The limits for the size of a collector's complete table. */
const DUMP_BYTES = { minBytes: 1_000_000, maxBytes: 2_000_000_000 } as const;

/** RIPE RIS publishes three dumps a day, and the last one also under a fixed name (https://ris.ripe.net/docs/mrt/). */
function risDump(collector: string): Dump {
  const at = `https://data.ris.ripe.net/${collector}`;
  return {
    name: `${collector}/bview.*.*.gz`,
    container: 'gz',
    download: {
      url: `${at}/{yyyy}.{mm}/bview.{yyyy}{mm}{dd}.{hh}00.gz`,
      everyHours: 8,
      ...DUMP_BYTES,
      fallback: { url: `${at}/latest-bview.gz`, saveAs: 'latest-bview.gz', minBytes: DUMP_BYTES.minBytes },
    },
  };
}

/**
 * RouteViews publishes a dump every two hours. Its first collector has no folder
 * (https://www.routeviews.org/routeviews/collectors/).
 */
function routeViewsDump(collector: string): Dump {
  const folder = collector === 'route-views2' ? '' : `${collector}/`;
  const at = `https://archive.routeviews.org/${folder}bgpdata`;
  return {
    name: `${collector}/rib.*.*.bz2`,
    container: 'bz2',
    download: { url: `${at}/{yyyy}.{mm}/RIBS/rib.{yyyy}{mm}{dd}.{hh}00.bz2`, everyHours: 2, ...DUMP_BYTES },
  };
}

/** The extended delegation statistics of a registry, with their MD5. */
function delegations(registry: string, at: string): Record<string, Download> {
  const name = `delegated-${registry}-extended-latest`;
  return { [name]: { url: `${at}/${name}`, md5Url: `${at}/${name}.md5`, minBytes: 100_000 } };
}

/** An IANA registry as XML. */
function assignments(registry: string, minBytes: number): Record<string, Download> {
  const name = `${registry}.xml`;
  return { [name]: { url: `https://www.iana.org/assignments/${registry}/${name}`, minBytes } };
}

/** All PeeringDB objects of one kind. Objects of kind `poc` and full dumps are not downloaded: they contain people. */
function peeringDb(kind: string, minBytes: number): Record<string, Download> {
  const name = `${kind}-0.json`;
  return { [name]: { url: `https://public.peeringdb.com/${name}`, minBytes } };
}

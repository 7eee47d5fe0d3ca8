import type { Download, FeedFile } from './feed.js';

/** Folder of the collectors' dumps below the input directory: `rib/<collector>/<file>`. */
export const RIB_FOLDER = 'rib';

/** Collectors in several regions; with fewer the edges of AS4809, AS9929 and AS58807 go unseen. */
export const DEFAULT_COLLECTORS: readonly string[] = ['rrc00', 'rrc12', 'rrc21', 'route-views.sg'];

/** Whether this is a collector's name as RIPE RIS (`rrc00`) or RouteViews (`route-views.sg`, `route-views6`) has them. */
export function isCollector(name: string): boolean {
  return /^(?:rrc\d\d|route-views(?:\d{1,2}|(?:\.[a-z0-9]+)+)?)$/.test(name);
}

/** The newest dump of each collector. Throws TypeError for a name that no collector has. */
export function ribDownloads(collectors: readonly string[]): FeedFile[] {
  return collectors.map((collector) => {
    if (!isCollector(collector)) throw new TypeError(`no collector is called ${JSON.stringify(collector)}`);
    const dump = collector.startsWith('rrc') ? risDump(collector) : routeViewsDump(collector);
    return { folder: RIB_FOLDER, required: false, take: 'latest', ...dump };
  });
}

/** Where the files of registries, of AS names, VRPs and of PeeringDB are handed out, by file name. */
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

/** A file with the place it is handed out at, where there is one. */
export function withDownload(file: FeedFile): FeedFile {
  const download = DOWNLOADS[file.name];
  return download ? { ...file, download } : file;
}

type Dump = Pick<FeedFile, 'name' | 'container' | 'download'>;

/** No collector's whole table is smaller, nor larger. */
const DUMP_BYTES = { minBytes: 1_000_000, maxBytes: 2_000_000_000 } as const;

/** RIPE RIS: three times a day, and the last one under a name of its own (https://ris.ripe.net/docs/mrt/). */
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

/** RouteViews: every two hours. Its first collector has no folder (https://www.routeviews.org/routeviews/collectors/). */
function routeViewsDump(collector: string): Dump {
  const folder = collector === 'route-views2' ? '' : `${collector}/`;
  const at = `https://archive.routeviews.org/${folder}bgpdata`;
  return {
    name: `${collector}/rib.*.*.bz2`,
    container: 'bz2',
    download: { url: `${at}/{yyyy}.{mm}/RIBS/rib.{yyyy}{mm}{dd}.{hh}00.bz2`, everyHours: 2, ...DUMP_BYTES },
  };
}

/** The extended delegation statistics of a registry, with their md5 beside them. */
function delegations(registry: string, at: string): Record<string, Download> {
  const name = `delegated-${registry}-extended-latest`;
  return { [name]: { url: `${at}/${name}`, md5Url: `${at}/${name}.md5`, minBytes: 100_000 } };
}

/** A registry of IANA as XML. */
function assignments(registry: string, minBytes: number): Record<string, Download> {
  const name = `${registry}.xml`;
  return { [name]: { url: `https://www.iana.org/assignments/${registry}/${name}`, minBytes } };
}

/** All objects of one kind. Never those of kind `poc`, which are people; so no whole dump either, which has them. */
function peeringDb(kind: string, minBytes: number): Record<string, Download> {
  const name = `${kind}-0.json`;
  return { [name]: { url: `https://public.peeringdb.com/${name}`, minBytes } };
}

import type { Variable } from '../../server/config-variables.js';
import { DEFAULT_COLLECTORS } from '../input/routing-downloads.js';

/** Environment variables by name. */
export type Variables = Readonly<Record<string, Variable>>;

/** The variables of `build`, `fetch`, `worker` and all commands that read releases. */
export const BUILD_VARIABLES = {
  FEEDS: {
    meaning: "folder of the publishers' files, laid out as <feed id>/<file name>; live downloads them first",
    allowed: 'a folder, or live',
    unset: 'the bundled sample feeds',
  },
  BUILD_FEEDS: {
    meaning: 'feeds, routing sources and lists to build from; at least one feed',
    allowed: 'ids, comma-separated',
    unset: 'all',
  },
  DATASET_FEEDS: {
    meaning:
      'sources that may go into download/. Named feeds replace the default feeds; named routing sources and lists are added to the default ones; -<id> leaves a source out',
    allowed: 'ids and -ids, comma-separated',
    unset: 'every source under a licence that requires at most attribution',
  },
  BUILD_JOBS: {
    meaning: 'jobs that run at the same time, each in its own thread; fewer jobs need less memory',
    allowed: '1-999',
    unset: 'one per processor',
  },
  OUTPUT: {
    meaning: 'folder for releases, downloads and caches. OUTPUT_DIR is a second name',
    allowed: 'a folder',
    unset: 'output/ in the project',
  },
  REDIS_URL: {
    meaning: 'Redis that runs the jobs of a build; not a cluster',
    allowed: 'a redis: or rediss: URL',
    unset: 'a private server on a Unix socket, for the duration of the build',
  },
  STORE: {
    meaning:
      'store that the machines of a build share, see store/README.md: a bucket of any service that speaks S3, or a folder',
    allowed: 's3://bucket, s3://bucket/prefix or file:folder',
    unset: 'none: all data is in OUTPUT',
  },
  STORE_PATH_STYLE: {
    meaning: 'whether requests to the bucket name it in their path, instead of in the host name',
    allowed: 'yes or no',
    unset: 'yes with AWS_ENDPOINT_URL, otherwise no',
  },
  STORE_GRACE_HOURS: {
    meaning: 'hours for which the STORE keeps objects that no kept release needs any more',
    allowed: '0-9999',
    default: '24',
  },
  CACHE_GB: {
    meaning: 'size that a worker with a STORE keeps in the cache of its OUTPUT, in GB of 10^9 bytes',
    allowed: '1-99999',
    default: '20',
  },
  RIB_COLLECTORS: {
    meaning: 'route collectors of RIPE RIS (rrc00) and RouteViews (route-views.sg) to download dumps from',
    allowed: 'collector names, comma-separated',
    default: DEFAULT_COLLECTORS.join(','),
  },
  RELAYS_ARE_PROXIES: {
    meaning:
      'whether consumer relays (CPN) and enterprise gateways (EPN) count as proxies; their type is kept either way',
    allowed: 'yes or no',
    default: 'yes',
  },
  KEEP_RELEASES: {
    meaning: 'releases to keep in OUTPUT and in the STORE; older ones are removed after a publication',
    allowed: '1-999',
    default: '7',
  },
  KEEP_DAYS: {
    meaning:
      'releases of these last days are kept, too, for lookups with a time in the past (at=, inspect --at)',
    allowed: '1-9999',
    unset: 'KEEP_RELEASES alone counts',
  },
  IPATLAS_MIRROR: {
    meaning:
      'mirror of all publishers: receives requests for /<host>/<path> instead of https://<host>/<path>, with the publishers’ keys',
    allowed: 'an https: URL without a path',
    unset: 'none',
  },
  NOTIFY_URL: {
    meaning: 'receives a POST with the result of every build, see notify/README.md',
    allowed: 'an https: or http: URL',
    unset: 'none',
  },
  NOTIFY_SECRET: {
    meaning: 'secrets that sign the requests to NOTIFY_URL as Standard Webhooks describes',
    allowed: 'whsec_ and 24 to 64 bytes in base64; several, separated by spaces',
    unset: 'the requests are not signed',
  },
  NOTIFY_COMMAND: {
    meaning: 'program that runs after every build and receives its result on standard input',
    allowed: 'path of an executable, without arguments',
    unset: 'none',
  },
  SOURCE_DATE_EPOCH: {
    meaning: 'build time in seconds since 1970; equal inputs then give equal bytes',
    allowed: 'a whole number of up to 10 digits',
    unset: 'the current time',
  },
  MAXMIND_ACCOUNT_ID: {
    meaning: 'MaxMind account, for GeoLite2',
    allowed: 'text',
    unset: 'GeoLite2 is skipped',
  },
  MAXMIND_LICENSE_KEY: {
    meaning: 'MaxMind licence key, for GeoLite2',
    allowed: 'text',
    unset: 'GeoLite2 is skipped',
  },
  IP2LOCATION_TOKEN: {
    meaning: 'download token of IP2Location, also for IP2Proxy',
    allowed: 'text',
    unset: 'IP2Location and IP2Proxy are skipped',
  },
  IPINFO_TOKEN: { meaning: 'IPinfo token', allowed: 'text', unset: 'IPinfo is skipped' },
} as const satisfies Variables;

/** The variables of the SDK that finds the service of a store, and the credentials for it. */
export const STORE_SERVICE_VARIABLES = {
  AWS_ENDPOINT_URL: {
    meaning: 'service of the bucket; AWS_ENDPOINT_URL_S3 takes precedence',
    allowed: 'a URL',
    unset: 'AWS',
  },
  AWS_REGION: {
    meaning: 'region of the bucket',
    allowed: 'a region',
    unset: 'us-east-1 with AWS_ENDPOINT_URL, otherwise that of the profile',
  },
  AWS_DEFAULT_REGION: { meaning: 'second name of AWS_REGION', allowed: 'a region', unset: 'none' },
  AWS_ACCESS_KEY_ID: {
    meaning: 'access key. Profiles, web identities and roles of the machine are used as in all SDKs of AWS',
    allowed: 'text',
    unset: 'the other ways of the SDK',
  },
  AWS_SECRET_ACCESS_KEY: {
    meaning: 'secret of the access key',
    allowed: 'text',
    unset: 'the other ways of the SDK',
  },
} as const satisfies Variables;

/** The variables of `conformance`. */
export const CONFORMANCE_VARIABLES = {
  IPATLAS_KEY: {
    meaning: 'API key of any plan, for endpoints that need a key',
    allowed: 'an API key',
    unset: 'their checks are skipped',
  },
  IPATLAS_ENTERPRISE_KEY: {
    meaning: 'API key of the enterprise plan, for downloads',
    allowed: 'an API key',
    unset: 'their checks are skipped',
  },
} as const satisfies Variables;

/** The variables of `probe-agent`, besides those it shares with the server. */
export const AGENT_VARIABLES = {
  PROBE_SERVER: {
    meaning: 'servers to connect to, in place of --server',
    allowed: 'wss: URLs, comma-separated',
    unset: '--server is required',
  },
  PROBE_TOKEN: {
    meaning: "the node's token, in place of --token-file",
    allowed: 'a token of "ipatlas node add"',
    unset: '--token-file is required',
  },
} as const satisfies Variables;

/** The default of a variable for people. */
export function defaultOf({ default: value, unset }: Variable): string {
  return value ?? unset ?? 'none';
}

/** Returns the variables as lines for `--help`, each with its meaning, allowed values and default. */
export function describeVariables(variables: Variables): string {
  const width = Math.max(...Object.keys(variables).map(({ length }) => length)) + 4;
  return Object.entries(variables)
    .flatMap(([name, variable]) => {
      const { meaning, allowed } = variable;
      const lines = wrap(`${meaning} [${allowed}; default: ${defaultOf(variable)}]`, LINE_LENGTH - width);
      return lines.map((line, i) => (i === 0 ? `  ${name}` : '').padEnd(width) + line);
    })
    .join('\n');
}

const LINE_LENGTH = 80;

/** Breaks a text into lines at spaces. */
function wrap(text: string, length: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > length) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

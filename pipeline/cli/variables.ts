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
    meaning: 'Redis that runs the jobs of a build',
    allowed: 'a redis: or rediss: URL',
    unset: 'a private server on a Unix socket, for the duration of the build',
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
    meaning: 'releases to keep in OUTPUT; older ones are removed after a publication',
    allowed: '1-999',
    default: '7',
  },
  IPATLAS_MIRROR: {
    meaning:
      'mirror of all publishers: receives requests for /<host>/<path> instead of https://<host>/<path>, with the publishers’ keys',
    allowed: 'an https: URL without a path',
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

const LINE_LENGTH = 110;

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

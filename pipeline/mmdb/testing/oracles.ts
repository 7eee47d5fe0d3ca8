import { execFileSync, spawnSync } from 'node:child_process';

/** Independent readers that tests compare with ours. */
export type Oracle = keyof typeof ORACLES;

/** A command that succeeds when the oracle is installed, and the Debian package of the oracle. */
const ORACLES = {
  mmdblookup: { probe: ['mmdblookup', '--version'], package: 'mmdb-bin' },
  python: { probe: ['/usr/bin/python3', '-c', 'import maxminddb.extension'], package: 'python3-maxminddb' },
  geoip2: { probe: ['/usr/bin/python3', '-c', 'import geoip2.database'], package: 'python3-geoip2' },
  'geoip2-perl': { probe: ['perl', '-MGeoIP2::Database::Reader', '-e', '1'], package: 'libgeoip2-perl' },
  perl: { probe: ['perl', '-MMaxMind::DB::Reader', '-e', '1'], package: 'libmaxmind-db-reader-perl' },
  geoipupdate: { probe: ['geoipupdate', '-V'], package: 'geoipupdate, of contrib' },
  bgpdump: { probe: ['bgpdump', '-T'], package: 'bgpdump' },
} as const;

/**
 * Returns the `skip` option of a test: a reason when the oracle is not installed, else false. Throws when it is not
 * installed and the environment has CI=true, where no test may be skipped.
 */
export function without(oracle: Oracle): string | false {
  const { probe, package: debianPackage } = ORACLES[oracle];
  const [command, ...args] = probe;
  if (spawnSync(command, args, { stdio: 'ignore' }).status === 0) return false;
  const reason = `${oracle} is not installed (apt-get install ${debianPackage})`;
  if (process.env['CI'] === 'true') throw new Error(reason);
  return reason;
}

/** A value as mmdblookup prints it. */
export interface PrintedValue {
  /** Strings without their quotes; doubles with six decimals. */
  readonly text: string;
  /** `utf8_string`, `uint32`, … */
  readonly type: string;
}

/** Reads the scalar at `path` with libmaxminddb. Returns undefined when the file lacks the address or the path. */
export function mmdblookup(file: string, ip: string, path: readonly string[]): PrintedValue | undefined {
  const { status, stdout, stderr } = spawnSync('mmdblookup', ['-f', file, '-i', ip, ...path], {
    encoding: 'utf8',
  });
  if (status === NO_SUCH_PATH || status === NO_SUCH_ADDRESS) return undefined;
  const printed = /^\s*([^]*) <(\w+)>\s*$/.exec(stdout);
  if (status !== 0 || !printed) throw new Error(`mmdblookup ${ip} ${path.join(' ')}: ${stdout}${stderr}`);
  const [, text = '', type = ''] = printed;
  return { text: type === 'utf8_string' ? text.slice(1, -1) : text, type };
}

const NO_SUCH_PATH = 5;
const NO_SUCH_ADDRESS = 6;

/** An answer of Python's C extension. The record is null when the file has none. */
export interface PythonAnswer {
  /** Bytes are `{bytes: hex}`; integers above 2^53 are `{integer: decimal}`. */
  readonly record: unknown;
  /** The prefix length of the family: 0..32 for IPv4. */
  readonly length: number;
}

/** Looks up addresses with python3-maxminddb (libmaxminddb with mmap). */
export function pythonLookup(file: string, ips: readonly string[]): PythonAnswer[] {
  return runPython(PYTHON_LOOKUP, [file], ips) as PythonAnswer[];
}

const PYTHON_LOOKUP = `
import json, sys, maxminddb
def plain(value):
    if isinstance(value, dict): return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, list): return [plain(entry) for entry in value]
    if isinstance(value, (bytes, bytearray)): return {'bytes': value.hex()}
    if isinstance(value, int) and not isinstance(value, bool) and value > 2**53: return {'integer': str(value)}
    return value
reader = maxminddb.open_database(sys.argv[1], maxminddb.MODE_MMAP_EXT)
answers = []
for ip in json.load(sys.stdin):
    record, length = reader.get_with_prefix_len(ip)
    answers.append({'record': plain(record), 'length': length})
json.dump(answers, sys.stdout)
`;

/** Returns attributes of the python3-geoip2 models of addresses. Absent attributes and records are null. */
export function geoip2(
  file: string,
  model: 'city' | 'country' | 'asn' | 'isp' | 'anonymous_ip',
  ips: readonly string[],
): (Readonly<Record<string, unknown>> | null)[] {
  return runPython(PYTHON_GEOIP2, [file, model], ips) as (Readonly<Record<string, unknown>> | null)[];
}

const PYTHON_GEOIP2 = `
import json, sys, geoip2.database, geoip2.errors
ATTRIBUTES = {
    'city': lambda found: {
        'continent': found.continent.code, 'country': found.country.iso_code, 'countryConfidence': found.country.confidence,
        'registeredCountry': found.registered_country.iso_code, 'city': found.city.name, 'cityId': found.city.geoname_id,
        'cityNames': found.city.names, 'subdivisions': [part.iso_code for part in found.subdivisions],
        'latitude': found.location.latitude, 'longitude': found.location.longitude,
        'accuracyRadius': found.location.accuracy_radius, 'timeZone': found.location.time_zone,
    },
    'country': lambda found: {
        'continent': found.continent.code, 'country': found.country.iso_code, 'name': found.country.name,
        'registeredCountry': found.registered_country.iso_code,
    },
    'asn': lambda found: {
        'number': found.autonomous_system_number, 'organization': found.autonomous_system_organization,
    },
    'isp': lambda found: {
        'number': found.autonomous_system_number, 'organization': found.autonomous_system_organization,
        'isp': found.isp, 'holder': found.organization,
    },
    'anonymous_ip': lambda found: {
        'anonymous': found.is_anonymous, 'vpn': found.is_anonymous_vpn, 'hosting': found.is_hosting_provider,
        'publicProxy': found.is_public_proxy, 'torExit': found.is_tor_exit_node,
    },
}
reader = geoip2.database.Reader(sys.argv[1])
answers = []
for ip in json.load(sys.stdin):
    try:
        answers.append(ATTRIBUTES[sys.argv[2]](getattr(reader, sys.argv[2])(ip)))
    except geoip2.errors.AddressNotFoundError:
        answers.append(None)
json.dump(answers, sys.stdout)
`;

/** A network of Perl's iterator, in the address space of the file. */
export interface PerlNetwork {
  readonly address: bigint;
  readonly length: number;
}

/** Returns every network that MaxMind::DB::Reader reaches, with aliases followed. */
export function perlNetworks(file: string): PerlNetwork[] {
  const lines = execFileSync('perl', ['-MMaxMind::DB::Reader', '-e', PERL_NETWORKS, file], {
    encoding: 'utf8',
  });
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [address = '', length = ''] = line.split(' ');
      return { address: BigInt(address), length: Number(length) };
    });
}

const PERL_NETWORKS = `
my $reader = MaxMind::DB::Reader->new(file => shift);
$reader->iterate_search_tree(sub { print "$_[0] $_[1]\\n" });
`;

function runPython(script: string, args: readonly string[], input: unknown): unknown {
  const answer = execFileSync('/usr/bin/python3', ['-c', script, ...args], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return JSON.parse(answer);
}

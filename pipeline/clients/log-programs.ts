import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../testing/free-port.js';
import { allFields, ClientError, type Asked, type Client } from './client.js';
import { packetFile } from './packet-file.js';
import { linesOf, runProgram, withServer } from './run-program.js';

const COUNTRY_TYPES = ['ipatlas-City', 'GeoLite2-City', 'GeoLite2-Country'];
const CITY_TYPES = ['ipatlas-City', 'GeoLite2-City'];
const AS_TYPES = ['ipatlas-ASN', 'GeoLite2-ASN'];

/** Programs that add places to requests, log lines and packets. */
export const LOG_PROGRAMS: readonly Client[] = [
  {
    name: 'nginx',
    from: { debian: ['libnginx-mod-http-geoip2', 'nginx'] },
    questions: allFields('`geoip2` variables', askNginx),
  },
  {
    name: 'syslog-ng',
    from: { debian: ['syslog-ng-mod-geoip2', 'syslog-ng-core'] },
    questions: allFields('parser `geoip2()`', askSyslogNg),
  },
  {
    name: 'tshark',
    from: { debian: ['tshark'] },
    questions: [
      {
        asked: '`ip.geoip.src_country_iso`, `_city`, `_lat`',
        types: CITY_TYPES,
        fields: ['country.iso_code', 'city.names.en', 'location.latitude'],
        ask: (asked) => askTshark(asked, ['src_country_iso', 'src_city', 'src_lat']),
      },
      {
        asked: '`ip.geoip.src_country_iso`',
        types: ['GeoLite2-Country'],
        fields: ['country.iso_code'],
        ask: (asked) => askTshark(asked, ['src_country_iso']),
      },
      {
        asked: '`ip.geoip.src_asnum`, `_org`',
        types: AS_TYPES,
        fields: ['autonomous_system_number', 'autonomous_system_organization'],
        ask: (asked) => askTshark(asked, ['src_asnum', 'src_org']),
      },
    ],
  },
  {
    name: 'GoAccess',
    from: { debian: ['goaccess'] },
    questions: [
      {
        asked: 'country of a host',
        types: COUNTRY_TYPES,
        fields: ['country.iso_code', 'country.names.en'],
        ask: (asked) =>
          askGoAccess(asked, ({ country = '' }) => country.replace(/^Unknown$/, '').replace(' ', '\t')),
      },
      {
        asked: 'city of a host',
        types: CITY_TYPES,
        fields: ['city.names.en', 'subdivisions.0.names.en'],
        ask: (asked) =>
          askGoAccess(asked, ({ city = '' }) =>
            city.replace('N/A City', '').replace('N/A Region', '').replace(', ', '\t'),
          ),
      },
    ],
  },
];

async function askNginx({ file, fields, addresses, folder }: Asked): Promise<string[]> {
  const port = await freePort();
  const variables = fields.map((path, i) => `$v${i} source=$arg_ip ${path.replaceAll('.', ' ')};`);
  const conf = `load_module /usr/lib/nginx/modules/ngx_http_geoip2_module.so;
daemon off;
master_process off;
pid ${folder}/pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  geoip2 ${file} { ${variables.join(' ')} }
  server {
    listen 127.0.0.1:${port};
    location / { return 200 "${fields.map((_, i) => `$v${i}`).join('|')}"; }
  }
}
`;
  writeFileSync(join(folder, 'nginx.conf'), conf);
  const command = ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
  return await withServer(command, async () => {
    const found: string[] = [];
    for (const address of addresses) {
      const response = await fetch(`http://127.0.0.1:${port}/?ip=${address}`).catch((cause: unknown) => {
        throw new ClientError('it does not listen', { cause });
      });
      found.push(valuesOf(await response.text(), fields));
    }
    return found;
  });
}

async function askSyslogNg({ file, fields, addresses, folder }: Asked): Promise<string[]> {
  const template = fields.map((path) => `\${g.${path}}`).join('|');
  const conf = `@version: 3.38
options { stats-freq(0); };
source s { stdin(flags(no-parse)); };
parser p { geoip2("\${MESSAGE}", prefix("g."), database("${file}")); };
destination d { file("${folder}/out" template("${template}\\n")); };
log { source(s); parser(p); destination(d); };
`;
  writeFileSync(join(folder, 'syslog-ng.conf'), conf);
  const command = ['syslog-ng', '-F', '--no-caps', '--stderr', '-f', join(folder, 'syslog-ng.conf')];
  const paths = ['-R', join(folder, 'persist'), '-c', join(folder, 'control'), '-p', join(folder, 'pid')];
  await runProgram({ command: [...command, ...paths], input: `${addresses.join('\n')}\n` });
  return linesOf(readFileSync(join(folder, 'out'), 'utf8')).map((line) => valuesOf(line, fields));
}

/** Reads a packet from each address. tshark has a field for IPv4 and one for IPv6. */
async function askTshark({ file, addresses, folder }: Asked, fields: readonly string[]): Promise<string[]> {
  const [databases, settings] = [join(folder, 'databases'), join(folder, 'wireshark')];
  for (const dir of [databases, settings]) mkdirSync(dir);
  symlinkSync(file, join(databases, 'file.mmdb'));
  writeFileSync(join(settings, 'maxmind_db_paths'), `"${databases}"\n`);
  writeFileSync(join(folder, 'packets'), packetFile(addresses));
  const names = fields.flatMap((name) => ['-e', `ip.geoip.${name}`, '-e', `ipv6.geoip.${name}`]);
  const command = ['tshark', '-r', join(folder, 'packets'), '-o', 'ip.use_geoip:TRUE', '-T', 'fields'];
  const env = { WIRESHARK_CONFIG_DIR: settings };
  const output = await runProgram({ command: [...command, '-E', 'separator=|', ...names], env });
  return linesOf(output).map((line) => {
    const values = line.split('|');
    return fields.map((_, i) => values[2 * i]! + values[2 * i + 1]!).join('\t');
  });
}

interface GoAccessHost {
  readonly data: string;
  readonly country?: string;
  readonly city?: string;
}

async function askGoAccess(
  { file, addresses, folder }: Asked,
  valueOf: (host: GoAccessHost) => string,
): Promise<string[]> {
  const [log, out] = [join(folder, 'log'), join(folder, 'out.json')];
  const rows = addresses.map(
    (ip) => `${ip} - - [21/Nov/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "x"\n`,
  );
  writeFileSync(log, rows.join(''));
  const command = [
    'goaccess',
    log,
    '--log-format=COMBINED',
    '--no-global-config',
    `--geoip-database=${file}`,
    '-o',
    out,
  ];
  await runProgram({ command });
  const { hosts } = JSON.parse(readFileSync(out, 'utf8')) as { hosts: { data: readonly GoAccessHost[] } };
  return addresses.map((ip) => valueOf(hosts.data.find(({ data }) => data === ip) ?? { data: ip }));
}

/** Returns the values of a line with tabs between them. Flags are 1 or true, and else empty. */
function valuesOf(line: string, fields: readonly string[]): string {
  const values = line.split('|');
  const flag = (text: string): string => (text === '1' || text === 'true' ? 'true' : '');
  return fields
    .map((path, i) => (path.startsWith('is_') ? flag(values[i] ?? '') : (values[i] ?? '')))
    .join('\t');
}

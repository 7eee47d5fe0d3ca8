import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../testing/command-line.js';
import { freePort } from '../testing/free-port.js';
import type { Asked, Client, Question } from './client.js';
import { askTxt, linesOf, runProgram, withServer } from './run-program.js';

const COUNTRY_TYPES = ['ipatlas-City', 'GeoLite2-City', 'GeoLite2-Country'];
const AS_TYPES = ['ipatlas-ASN', 'GeoLite2-ASN'];
const COUNTRY = ['country.iso_code'];
const AS_NUMBER = ['autonomous_system_number'];

/** Authoritative name servers that answer by the place or the AS of the resolver, or of the client subnet (RFC 7871). */
export const NAME_SERVERS: readonly Client[] = [
  {
    name: 'BIND',
    from: { debian: ['bind9', 'bind9-dnsutils', 'iproute2'] },
    questions: [
      { asked: 'ACL `geoip country`', types: COUNTRY_TYPES, fields: COUNTRY, ask: askBind('country') },
      { asked: 'ACL `geoip asnum`', types: AS_TYPES, fields: AS_NUMBER, ask: askBind('asnum') },
    ],
  },
  {
    name: 'Knot DNS',
    from: { debian: ['knot-module-geoip', 'knot', 'bind9-dnsutils'] },
    questions: [
      {
        asked: '`geodb-key: country/iso_code`',
        types: COUNTRY_TYPES,
        fields: COUNTRY,
        ask: askKnot('country/iso_code'),
      },
      {
        asked: '`geodb-key: (id)autonomous_system_number`',
        types: AS_TYPES,
        fields: AS_NUMBER,
        ask: askKnot('(id)autonomous_system_number'),
      },
    ],
  },
  {
    name: 'PowerDNS',
    from: { debian: ['pdns-backend-geoip', 'pdns-server', 'bind9-dnsutils'] },
    questions: [
      { asked: 'GeoIP backend, `%cc`', types: COUNTRY_TYPES, fields: COUNTRY, ask: askPowerDns('%cc') },
      { asked: 'GeoIP backend, `%as`', types: AS_TYPES, fields: AS_NUMBER, ask: askPowerDns('%as') },
    ],
  },
  {
    name: 'gdnsd',
    from: { debian: ['gdnsd'] },
    questions: [
      {
        asked: '`gdnsd_geoip_test`: `geoip2_db`',
        types: COUNTRY_TYPES,
        fields: ['continent.code', 'country.iso_code'],
        ask: askGdnsd,
      },
    ],
  },
];

const ZONE = `$ORIGIN geo.test.
$TTL 30
@ SOA ns host 1 3600 900 604800 60
@ NS ns
ns A 127.0.0.1
`;

/**
 * A view for each known value, whose zone has that value. BIND looks at the address that asks, so the questions come
 * from addresses of a network namespace. BIND opens only files with the names of MaxMind's.
 */
function askBind(element: string): Question['ask'] {
  return async ({ file, type, addresses, known, folder }) => {
    symlinkSync(
      file,
      join(
        folder,
        type.startsWith('ipatlas-') ? type.replace('ipatlas', 'GeoLite2') + '.mmdb' : `${type}.mmdb`,
      ),
    );
    const views = [...known, ''].map((value, i) => {
      writeFileSync(join(folder, `zone${i}`), `${ZONE}x TXT "${value}"\n`);
      const clients =
        value === '' ? 'any' : `geoip ${element} ${element === 'asnum' ? `"AS${value}"` : value}`;
      const zone = `zone "geo.test" { type master; file "${folder}/zone${i}"; };`;
      return `view v${i} { match-clients { ${clients}; }; recursion no; ${zone} };`;
    });
    const options = `directory "${folder}"; geoip-directory "${folder}"; pid-file none; listen-on port 53 { any; }; listen-on-v6 port 53 { any; }; dnssec-validation no;`;
    writeFileSync(
      join(folder, 'named.conf'),
      [`options { ${options} };`, 'controls {};', ...views, ''].join('\n'),
    );
    const script = join(PROJECT, 'pipeline/clients/probes/named.sh');
    return linesOf(await runProgram({ command: ['unshare', '-n', 'bash', script, folder, ...addresses] }));
  };
}

function askKnot(key: string): Question['ask'] {
  return async ({ file, addresses, known, folder }) => {
    const port = await freePort();
    const rows = known.map((value) => `  - geo: "${value}"\n    TXT: "${value}"\n`).join('');
    writeFileSync(join(folder, 'geo.conf'), `x.geo.test:\n${rows}  - geo: "*"\n    TXT: "none"\n`);
    writeFileSync(join(folder, 'geo.zone'), ZONE);
    const conf = `server:
    listen: 127.0.0.1@${port}
    rundir: ${folder}
    edns-client-subnet: on
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
database:
    storage: ${folder}/database
log:
  - target: stderr
    any: notice
mod-geoip:
  - id: geo
    config-file: ${folder}/geo.conf
    mode: geodb
    geodb-file: ${file}
    geodb-key: [ ${key} ]
zone:
  - domain: geo.test
    file: ${folder}/geo.zone
    zonefile-sync: -1
    module: mod-geoip/geo
`;
    writeFileSync(join(folder, 'knot.conf'), conf);
    const command = ['knotd', '-c', join(folder, 'knot.conf')];
    const found = await withServer(command, () => askAll(port, addresses));
    return found.map((text) => (text === 'none' ? '' : text));
  };
}

function askPowerDns(placeholder: string): Question['ask'] {
  return async ({ file, addresses, folder }) => {
    const port = await freePort();
    const zones = `domains:
- domain: geo.test
  ttl: 30
  records:
    geo.test:
      - soa: ns.geo.test. host.geo.test. 1 3600 900 604800 60
      - ns: ns.geo.test.
    x.geo.test:
      - txt: "${placeholder}"
`;
    writeFileSync(join(folder, 'zones.yml'), zones);
    const settings = [
      ...['launch=geoip', `geoip-zones-file=${folder}/zones.yml`, `geoip-database-files=mmdb:${file}`],
      ...[
        'edns-subnet-processing=yes',
        'local-address=127.0.0.1',
        `local-port=${port}`,
        `socket-dir=${folder}`,
      ],
      ...['guardian=no', 'daemon=no', 'disable-syslog=yes', 'cache-ttl=0', 'query-cache-ttl=0'],
    ];
    writeFileSync(join(folder, 'pdns.conf'), `${settings.join('\n')}\n`);
    const found = await withServer(['pdns_server', `--config-dir=${folder}`], () => askAll(port, addresses));
    return found.map((text) => (text === 'unknown' ? '' : text.toUpperCase()));
  };
}

async function askAll(port: number, addresses: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const address of addresses) found.push(await askTxt(port, 'x.geo.test', address));
  return found;
}

/** A data centre for each country, named after it, and the one that gdnsd chooses for each address. */
async function askGdnsd({ file, addresses, known, folder }: Asked): Promise<string[]> {
  mkdirSync(join(folder, 'geoip'));
  symlinkSync(file, join(folder, 'geoip/geo.mmdb'));
  const places = known.map((line) => line.split('\t') as [continent: string, country: string]);
  const continents = [...new Set(places.map(([continent]) => continent))].map((continent) => {
    const countries = places.filter(([code]) => code === continent);
    const rows = countries.map(([, country]) => `${country} => [dc-${continent}-${country}]`);
    return `${continent} => { default => [dc-none], ${rows.join(', ')} }`;
  });
  const names = ['dc-none', ...places.map((place) => `dc-${place.join('-')}`)];
  const map = `{ geoip2_db => geo.mmdb, datacenters => [${names.join(', ')}], map => { default => [dc-none], ${continents.join(', ')} } }`;
  const targets = names.map((name, i) => `${name} => 10.0.0.${i + 1}`).join(', ');
  const resources = `{ r => { map => m, dcmap => { ${targets} } } }`;
  writeFileSync(
    join(folder, 'config'),
    `plugins => { geoip => { maps => { m => ${map} }, resources => ${resources} } }\n`,
  );
  const found: string[] = [];
  for (const address of addresses) {
    const output = await runProgram({ command: ['gdnsd_geoip_test', '-c', folder, 'm', address] });
    const [, continent = '', country = ''] = /=> dc-(\w\w)-(\w\w)$/m.exec(output) ?? [];
    found.push(`${continent}\t${country}`);
  }
  return found;
}

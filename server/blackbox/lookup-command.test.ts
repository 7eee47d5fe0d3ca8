import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { formatIpv4, parseIpv4 } from '../../pipeline/net/address.js';
import { ipatlas } from '../../pipeline/testing/command-line.js';
import { runServer } from '../testing/running-server.js';
import { SMALL } from '../testing/small-records.js';

type Fields = Readonly<Record<string, unknown>>;

const FIELDS = [
  ...['country', 'country_code', 'region', 'city', 'latitude', 'longitude', 'timezone', 'continent'],
  ...['continent_code', 'is_anycast', 'asn', 'org', 'as_domain', 'isp', 'ip_type', 'is_proxy', 'proxy_type'],
  ...['usage_type', 'proxy_domain', 'proxy_isp', 'provider', 'threat', 'fraud_score', 'last_seen'],
  ...['is_cloud_idc', 'cloud_provider'],
];

/** Distances from the addresses with records: to neighbours in the network, at its ends and behind it. */
const DISTANCES = [0, 1, -1, 7, 100, 254, 255, 256, -256, 1000, 65_536, -65_536, 1_000_000];

const known = Object.values(SMALL);
const ADDRESSES = [
  ...new Set(
    known.flatMap((ip) => {
      const value = parseIpv4(ip);
      return value === undefined ? [ip] : DISTANCES.map((distance) => formatIpv4((value + distance) >>> 0));
    }),
  ),
];

const server = await runServer(t);
const headers = { Authorization: `Bearer ${await server.key('enterprise')}` };

/** The records of the API for the addresses, in calls of 100. */
async function byApi(language: string): Promise<Fields[]> {
  const records: Fields[] = [];
  for (let at = 0; at < ADDRESSES.length; at += 100) {
    const ips = ADDRESSES.slice(at, at + 100);
    const { body } = await server.post(`/api/ip/batch?lang=${language}`, { ips }, headers);
    records.push(...(body as { data: Fields[] }).data);
  }
  return records;
}

for (const language of ['en', 'zh'])
  t.test(`ipatlas lookup has the answers of the API, lang=${language}`, async (t) => {
    const input = join(server.outputDir, 'addresses.txt');
    writeFileSync(input, `${ADDRESSES.join('\n')}\n`);
    const options = ['--format', 'ndjson', '--lang', language, '--fields', FIELDS.join(',')];
    const { code, stdout } = await ipatlas(
      t,
      { OUTPUT: server.outputDir },
      ...['lookup', '--input', input, ...options],
    );
    t.equal(code, 0);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Fields);
    const expected = (await byApi(language)).map((record) => {
      const fields = FIELDS.map((name) => [
        name,
        name === 'is_anycast' ? (record[name] ?? false) : record[name],
      ]);
      return { ip: record['ip'], ...(Object.fromEntries(fields) as Fields) };
    });
    t.ok(rows.length > 200, 'hundreds of addresses');
    t.ok(rows.filter(({ country_code: code }) => code !== '').length > 50, 'many with a place');
    t.strictSame(rows, expected);
  });

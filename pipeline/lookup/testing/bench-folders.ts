import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exampleRecords } from '../../mmdb/city-records.fixture.js';
import { ASN_SCHEMA, CITY_SCHEMA, ISP_SCHEMA } from '../../mmdb/testing/record-schemas.js';
import { writeMmdb } from '../../mmdb/write.js';
import { formatIpv4 } from '../../net/address.js';
import { addressOf, exampleNetworks } from '../../table/networks.fixture.js';
import { PrefixTable } from '../../table/prefix-table.js';

const RECORDS = 20_000;

/** Writes three files with few records, and `lines.txt` with addresses of their networks in mixed order. */
export function writeGenerated(folder: string, networkCount: number, lineCount: number): void {
  const asns = Array.from({ length: RECORDS }, (_, i) => ({
    autonomous_system_number: i + 1,
    autonomous_system_organization: `Network ${i}`,
  }));
  const content = {
    geo: { records: exampleRecords(RECORDS), schema: CITY_SCHEMA, databaseType: 'ipatlas-GeoLite2-City' },
    asn: { records: asns, schema: ASN_SCHEMA, databaseType: 'ipatlas-GeoLite2-ASN' },
    isp: {
      records: asns.map((one, i) => ({ ...one, isp: `ISP ${i}` })),
      schema: ISP_SCHEMA,
      databaseType: 'ipatlas-GeoIP2-ISP',
    },
  };
  const networks = exampleNetworks(networkCount, RECORDS);
  const table = new PrefixTable();
  for (let i = 0; i < networks.count; i++)
    table.insert(addressOf(networks, i), networks.lengths[i]!, networks.recordIds[i]!);
  const flat = table.flatten();
  const rest = {
    table: flat,
    description: { en: 'bench' },
    languages: ['en'],
    ipVersion: 6,
    buildEpoch: 1_795_046_400,
  } as const;
  for (const [name, one] of Object.entries(content))
    writeMmdb(join(folder, `${name}.mmdb`), { ...one, ...rest });
  const ipv4 = Math.floor(networkCount * 0.66);
  // 7919 is prime to the count of networks, so that the lines jump through the whole space.
  const lines = Array.from({ length: lineCount }, (_, i) =>
    formatIpv4(addressOf(networks, (i * 7919) % ipv4)[3]!),
  );
  writeFileSync(join(folder, 'lines.txt'), `${lines.join('\n')}\n`);
}

/** Links the files of a release into a new folder, and writes `lines.txt` with random IPv4 addresses below 224.0.0.0. */
export function linkRelease(folder: string, release: string, lineCount: number): void {
  mkdirSync(folder);
  for (const name of ['geo', 'asn', 'isp'])
    symlinkSync(resolve(release, `${name}.mmdb`), join(folder, `${name}.mmdb`));
  let state = 1;
  const lines = Array.from({ length: lineCount }, () => {
    // Numerical Recipes' generator: its upper bits are random enough, and every run has the same addresses.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const upper = state >>> 16;
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return formatIpv4((((upper % 0xe000) << 16) | (state >>> 16)) >>> 0);
  });
  writeFileSync(join(folder, 'lines.txt'), `${lines.join('\n')}\n`);
}

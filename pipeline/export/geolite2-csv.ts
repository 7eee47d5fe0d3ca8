import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { familyOf } from '../net/address.js';
import { formatPrefix } from '../net/prefix.js';
import { FieldReader, type FieldPath } from '../mmdb/field-reader.js';
import { BlockWriter, writeWhole } from './block-writer.js';
import { csvText } from './csv-line.js';
import type { DatasetKind } from './columns.js';
import { ExportError } from './export-error.js';
import type { ExportSource, WrittenFile } from './export-source.js';
import type { Blocks } from './geolite2-blocks.js';
import { CityBlocks } from './geolite2-city.js';
import type { Networks } from './networks.js';

/** Files by name, to be written with the names of the datasets of MaxMind. */
interface Layout {
  readonly name: string;
  readonly blocks: Blocks;
  /** Other files, complete after the last network. */
  readonly after: () => ReadonlyMap<string, Iterable<string>>;
}

/**
 * Writes a folder with the CSV files that MaxMind publishes for the same data, with their names, columns and order
 * (https://dev.maxmind.com/geoip/docs/databases/city-and-country, …/asn, …/isp and …/anonymous-ip, "Blocks Files" and
 * "Locations Files"). The terms are in LICENSE.txt.
 */
export async function exportGeolite2Csv(
  { dataset, networks }: ExportSource,
  dir: string,
): Promise<WrittenFile[]> {
  const layouts = layoutsOf(
    dataset.kind,
    (paths) => new FieldReader(dataset.layout, paths, { encode: csvText, absent: '' }),
  );
  mkdirSync(dir, { recursive: true });
  const written: WrittenFile[] = [];
  for (const { name, blocks, after } of layouts) {
    written.push(...(await writeBlocks(dir, { name, blocks, networks: networks() })));
    for (const [file, lines] of after()) written.push(await writeLines(join(dir, file), lines));
  }
  const terms = await writeLines(join(dir, 'LICENSE.txt'), dataset.notice);
  return [...written, { ...terms, rows: 0 }];
}

/** Writes the IPv4 networks to one file and then the IPv6 networks to the other. */
async function writeBlocks(
  dir: string,
  about: { readonly name: string; readonly blocks: Blocks; readonly networks: Networks },
): Promise<WrittenFile[]> {
  const { name, blocks, networks } = about;
  const header = `${['network', ...blocks.columns].join(',')}\n`;
  let more = networks.next();
  const written: WrittenFile[] = [];
  for (const family of [4, 6] as const) {
    const path = join(dir, `${name}-Blocks-IPv${family}.csv`);
    let rows = 0;
    const sizeBytes = await writeWhole(path, (writer: BlockWriter) => {
      writer.ascii(header);
      // IPv4 is at ::/96, before all IPv6 networks.
      for (; more && (family === 6 || familyOf(networks.address) === 4); more = networks.next()) {
        const line = blocks.lineOf(networks.offset);
        if (line === undefined) continue;
        writer.text(`${formatPrefix(networks.address, networks.length)},${line}\n`);
        rows++;
      }
    });
    written.push({ path, sizeBytes, rows });
  }
  return written;
}

async function writeLines(path: string, lines: Iterable<string>): Promise<WrittenFile> {
  let rows = -1;
  const sizeBytes = await writeWhole(path, (writer) => {
    for (const line of lines) {
      writer.text(`${line}\n`);
      rows++;
    }
  });
  return { path, sizeBytes, rows };
}

type Open = (paths: readonly FieldPath[]) => FieldReader<string>;

function layoutsOf(kind: DatasetKind, open: Open): Layout[] {
  switch (kind) {
    case 'geo':
      return (['City', 'Country'] as const).map((level) => {
        const city = new CityBlocks(open, level);
        return { name: `GeoLite2-${level}`, blocks: city, after: () => city.locations() };
      });
    case 'asn':
      return [plain('GeoLite2-ASN', ASN_COLUMNS, open)];
    case 'isp':
      return [plain('GeoIP2-ISP', ISP_COLUMNS, open), plain('GeoIP2-Anonymous-IP', ANONYMOUS_COLUMNS, open)];
    default:
      throw new ExportError(`MaxMind publishes no CSV files like ${kind}: expected geo, asn or isp`);
  }
}

const ASN_COLUMNS = ['autonomous_system_number', 'autonomous_system_organization'];
const ISP_COLUMNS = ['isp', 'organization', ...ASN_COLUMNS, 'mobile_country_code', 'mobile_network_code'];
/** A flag is 1, or blank where it does not apply. */
const ANONYMOUS_COLUMNS = [
  ...['is_anonymous', 'is_anonymous_vpn', 'is_hosting_provider', 'is_public_proxy'],
  ...['is_tor_exit_node', 'is_residential_proxy'],
];

/**
 * Blocks whose columns are fields of the record with the same names. A network without any of them has no row: one file
 * has the records of two databases of MaxMind, and most networks have no flags.
 */
function plain(name: string, columns: readonly string[], open: Open): Layout {
  const fields = open(columns.map((column) => [column]));
  const lineOf = (offset: number): string | undefined => {
    fields.read(offset);
    return fields.values.some((value) => value !== '') ? fields.values.join(',') : undefined;
  };
  return { name, blocks: { columns, lineOf }, after: () => new Map() };
}

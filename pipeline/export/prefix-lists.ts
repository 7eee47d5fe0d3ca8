import { formatAddress, IPV4_DEPTH, type Address, type Family } from '../net/address.js';
import { formatPrefix, lastAddressInto, prefixFamily } from '../net/prefix.js';
import { AS_VALUES, FieldReader } from '../mmdb/field-reader.js';
import { writeWhole, type BlockWriter } from './block-writer.js';
import { ExportError } from './export-error.js';
import type { ExportSource, WrittenFile } from './export-source.js';
import { joinPrefixes } from './joined-prefixes.js';
import { PATHS, type FilterKey } from './where.js';

/** Options of lists of prefixes. */
export interface ListOptions {
  /** The name of the set, or of the variable of nginx. */
  readonly name: string;
  /** nginx: the property that the variable holds. */
  readonly value?: FilterKey;
}

/**
 * Writes a `geo` block of nginx (https://nginx.org/en/docs/http/ngx_http_geo_module.html): the variable holds the country,
 * the AS number, the cloud or the proxy type of the client, and is empty for other addresses.
 */
export async function exportNginx(
  { dataset, networks }: ExportSource,
  path: string,
  { name, value = 'country' }: ListOptions,
): Promise<WrittenFile[]> {
  const field = PATHS[value][dataset.kind];
  if (!field) throw new ExportError(`${dataset.path} has no ${value}: choose another --value`);
  const fields = new FieldReader(dataset.layout, [field], AS_VALUES);
  const valueOf = (offset: number): string | undefined => {
    fields.read(offset);
    const found = fields.values[0];
    return typeof found === 'string' || typeof found === 'number' ? nginxText(String(found)) : undefined;
  };
  let rows = 0;
  const sizeBytes = await writeWhole(path, (writer) => {
    writeNotice(writer, dataset.notice);
    writer.ascii(`geo $${name} {\n  default "";\n`);
    joinPrefixes(networks(), valueOf, (address, length, text) => {
      rows++;
      writer.text(`  ${formatPrefix(address, length)} ${text};\n`);
    });
    writer.ascii('}\n');
  });
  return [{ path, sizeBytes, rows }];
}

/**
 * Writes two sets of type hash:net for `ipset restore`, `<name>-v4` and `<name>-v6`. ipset has no prefix of length 0, so
 * such a prefix is written as its two halves.
 */
export async function exportIpset(
  { dataset, networks }: ExportSource,
  path: string,
  { name }: ListOptions,
): Promise<WrittenFile[]> {
  const count = { 4: 0, 6: 0 };
  joinPrefixes(
    networks(),
    () => '',
    (address, length) => {
      count[prefixFamily(address, length)] += isWhole(address, length) ? 2 : 1;
    },
  );
  const sizeBytes = await writeWhole(path, (writer) => {
    writeNotice(writer, dataset.notice);
    for (const family of [4, 6] as const) {
      const limits = `hashsize ${hashSize(count[family])} maxelem ${Math.max(count[family], MAX_ELEMENTS)}`;
      writer.ascii(
        `create ${name}-v${family} hash:net family ${family === 4 ? 'inet' : 'inet6'} ${limits}\n`,
      );
    }
    joinPrefixes(
      networks(),
      () => '',
      (address, length) => {
        const family = prefixFamily(address, length);
        for (const prefix of halves(address, length)) writer.ascii(`add ${name}-v${family} ${prefix}\n`);
      },
    );
  });
  return [{ path, sizeBytes, rows: count[4] + count[6] }];
}

/** Writes a table of nftables with two sets of intervals, `<name>_v4` and `<name>_v6`, for `nft -f`. */
export async function exportNft(
  { dataset, networks }: ExportSource,
  path: string,
  { name }: ListOptions,
): Promise<WrittenFile[]> {
  let rows = 0;
  const sizeBytes = await writeWhole(path, (writer) => {
    writeNotice(writer, dataset.notice);
    writer.ascii(`table inet ${name} {\n`);
    for (const family of [4, 6] as const) {
      writer.ascii(`  set ${name}_v${family} {\n    type ipv${family}_addr\n    flags interval\n`);
      let inFamily = 0;
      joinPrefixes(
        networks(),
        () => '',
        (address, length) => {
          if (prefixFamily(address, length) !== family) return;
          writer.ascii(inFamily++ === 0 ? '    elements = {\n' : ',\n');
          writer.ascii(`      ${nftInterval(address, length, family)}`);
        },
      );
      writer.ascii(inFamily === 0 ? '  }\n' : '\n    }\n  }\n');
      rows += inFamily;
    }
    writer.ascii('}\n');
  });
  return [{ path, sizeBytes, rows }];
}

/** The default of ipset; a set of this size can grow. */
const MAX_ELEMENTS = 65_536;

/** A power of two that the kernel does not have to enlarge. */
function hashSize(count: number): number {
  return Math.min(2 ** 24, Math.max(1024, 2 ** Math.ceil(Math.log2(count / 4 + 1))));
}

function writeNotice(writer: BlockWriter, notice: readonly string[]): void {
  writer.text(notice.map((line) => `# ${line}\n`).join(''));
}

/** nginx ends a word at a space, a semicolon or a brace. */
function nginxText(text: string): string {
  return /^[A-Za-z0-9_.-]+$/.test(text) ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/** A prefix of length 0 of its family. */
function isWhole(address: Address, length: number): boolean {
  return prefixFamily(address, length) === 4 ? length === IPV4_DEPTH : length === 0;
}

function halves(address: Address, length: number): string[] {
  if (!isWhole(address, length)) return [formatPrefix(address, length)];
  return length === 0 ? ['::/1', '8000::/1'] : ['0.0.0.0/1', '128.0.0.0/1'];
}

/** nft takes no prefix of length 0 as an element. */
function nftInterval(address: Address, length: number, family: Family): string {
  if (!isWhole(address, length)) return formatPrefix(address, length);
  const last = address.slice();
  lastAddressInto(address, length, last);
  return `${formatAddress(address, family)}-${formatAddress(last, family)}`;
}

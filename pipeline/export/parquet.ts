import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { formatAddress, newAddress, type Address, type Family } from '../net/address.js';
import { formatPrefix, lastAddressInto, prefixFamily } from '../net/prefix.js';
import { AS_VALUES, FieldReader } from '../mmdb/field-reader.js';
import { writeWhole, type BlockWriter } from './block-writer.js';
import type { Dataset } from './dataset.js';
import type { ExportSource, WrittenFile } from './export-source.js';
import type { Networks } from './networks.js';
import { ADDRESS_BYTES, cellOf, NETWORK_COLUMNS, schemaOf, type ParquetCell } from './parquet-schema.js';

/** Rows of a row group: the unit that readers skip by its least and greatest address, and that memory holds. */
const GROUP_ROWS = 65_536;

/** The key of the terms in the metadata of the file. */
export const TERMS_KEY = 'terms';

/**
 * Writes a Parquet file with a row per network, sorted by the first address, IPv4 first. Memory holds one row group. The
 * terms are in the file's key-value metadata under `terms`. `groupRows` is for tests.
 */
export async function exportParquet(
  { dataset, networks }: ExportSource,
  path: string,
  { groupRows = GROUP_ROWS }: { readonly groupRows?: number } = {},
): Promise<WrittenFile[]> {
  let rows = 0;
  const sizeBytes = await writeWhole(path, async (writer) => {
    const file = new ParquetWriter({
      writer: new BlockByteWriter(writer),
      schema: schemaOf(dataset.columns),
      createdBy: 'ipatlas',
      kvMetadata: [{ key: TERMS_KEY, value: dataset.notice.join('\n') }],
    });
    const group = new RowGroup(dataset, groupRows);
    const each = networks();
    while (each.next()) {
      group.add(each);
      rows++;
      if (group.rows === groupRows) await group.write(file);
    }
    if (group.rows > 0) await group.write(file);
    await file.finish();
  });
  return [{ path, sizeBytes, rows }];
}

/** Passes what the library has encoded to a block writer after each row group. */
class BlockByteWriter extends ByteWriter {
  constructor(private readonly blocks: BlockWriter) {
    super(1 << 20);
  }

  flush(): void {
    this.blocks.bytes(this.getBytes());
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}

/** The cells of the rows that are not yet written, by column. */
class RowGroup {
  rows = 0;
  readonly #dataset: Dataset;
  readonly #fields: FieldReader<ReturnType<typeof AS_VALUES.encode>>;
  readonly #cells: ParquetCell[][];
  readonly #last = newAddress();
  #bytes: AddressBytes;

  constructor(
    dataset: Dataset,
    private readonly capacity: number,
  ) {
    this.#dataset = dataset;
    this.#fields = new FieldReader(
      dataset.layout,
      dataset.columns.map(({ path }) => path),
      AS_VALUES,
    );
    this.#cells = [...NETWORK_COLUMNS, ...dataset.columns].map(() => new Array<ParquetCell>(capacity));
    this.#bytes = new AddressBytes(capacity * 2);
  }

  add({ address, length, offset }: Networks): void {
    const row = this.rows++;
    const last = this.#last;
    lastAddressInto(address, length, last);
    const family = prefixFamily(address, length);
    this.#set(row, [
      formatPrefix(address, length),
      family,
      formatAddress(address, family),
      formatAddress(last, family),
      this.#bytes.add(address, family),
      this.#bytes.add(last, family),
      family === 4 ? BigInt(address[3]!) : null,
      family === 4 ? BigInt(last[3]!) : null,
    ]);
    this.#fields.read(offset);
    const { columns } = this.#dataset;
    for (let i = 0; i < columns.length; i++)
      this.#cells[NETWORK_COLUMNS.length + i]![row] = cellOf(this.#fields.values[i], columns[i]!);
  }

  #set(row: number, cells: readonly ParquetCell[]): void {
    for (let i = 0; i < cells.length; i++) this.#cells[i]![row] = cells[i]!;
  }

  /** Writes the rows as one row group and removes them. */
  async write(file: ParquetWriter): Promise<void> {
    const names = [...NETWORK_COLUMNS, ...this.#dataset.columns.map(({ name }) => name)];
    const columnData = names.map((name, i) => {
      const cells = this.#cells[i]!;
      return { name, data: this.rows < this.capacity ? cells.slice(0, this.rows) : cells };
    });
    await file.write({ columnData, rowGroupSize: this.rows });
    this.rows = 0;
    // The library keeps the least and the greatest address until the end.
    this.#bytes = new AddressBytes(this.capacity * 2);
  }
}

/** The addresses of a row group as 16 bytes each. */
class AddressBytes {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #used = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity * ADDRESS_BYTES);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Returns the bytes of an address, that of IPv4 as IPv4-mapped (RFC 4291 §2.5.5.2): they sort as addresses do. */
  add(address: Address, family: Family): Uint8Array {
    const at = this.#used;
    for (let i = 0; i < 4; i++) this.#view.setUint32(at + i * 4, address[i]!);
    if (family === 4) this.#view.setUint16(at + 10, 0xffff);
    this.#used = at + ADDRESS_BYTES;
    return this.#bytes.subarray(at, this.#used);
  }
}

import t from 'tap';
import { encodeMmdb } from '../../pipeline/mmdb/write.js';
import { map } from '../../pipeline/mmdb/schema.js';
import type { ManifestFile } from '../../pipeline/release/contract.js';
import { PrefixTable } from '../../pipeline/table/prefix-table.js';
import { METADATA_MARKER, MmdbTable } from './mmdb-table.js';
import { openDatabase } from './open-database.js';

const KIND = { type: /^ipatlas-City/, ipVersion: 6 } as const;

/** Returns a database without records, whose data section is therefore empty, and its entry in the manifest. */
function emptyDatabase(): { bytes: Buffer; file: ManifestFile } {
  const bytes = encodeMmdb({
    table: new PrefixTable().flatten(),
    records: [],
    schema: map({ country: 'string' }),
    databaseType: 'ipatlas-City',
    description: { en: 'test' },
    languages: ['en'],
    ipVersion: 6,
    buildEpoch: 1,
  });
  const { databaseType, ipVersion, recordSize, nodeCount, languages } = new MmdbTable(bytes).metadata;
  const file = { name: 'geo.mmdb', databaseType, ipVersion, recordSize, nodeCount, languages, buildEpoch: 1 };
  return { bytes, file: file as unknown as ManifestFile };
}

t.test('a database without records opens and finds nothing', (t) => {
  const { bytes, file } = emptyDatabase();
  t.equal(openDatabase<object>(bytes, file, KIND).get('8.8.8.8'), undefined);
  t.end();
});

t.test('a separator that the metadata overlap is refused', (t) => {
  const { bytes, file } = emptyDatabase();
  const marker = bytes.lastIndexOf(METADATA_MARKER);
  const short = Buffer.concat([bytes.subarray(0, marker - 1), bytes.subarray(marker)]);
  t.throws(() => openDatabase<object>(short, file, KIND), {
    name: 'ReleaseRefused',
    message: /a search tree of \d+ nodes does not fit the file/,
  });
  t.end();
});

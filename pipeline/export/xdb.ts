import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { MmdbValue } from '../mmdb/decode.js';
import { FieldReader, type FieldEncoding, type FieldPath } from '../mmdb/field-reader.js';
import { writeWhole } from './block-writer.js';
import { ExportError } from './export-error.js';
import type { ExportSource, WrittenFile } from './export-source.js';
import { visitRanges } from './region-ranges.js';
import { writeXdb } from './xdb-file.js';

/** A language of names. The other one is used where a name is missing. */
export type RegionLanguage = 'en' | 'zh';

const KEYS = { en: ['en', 'zh-CN'], zh: ['zh-CN', 'en'] } as const;
const PLACES: readonly FieldPath[] = [['country'], ['subdivisions', 0], ['city']];

/** What ip2region writes for an unknown part. */
const UNKNOWN = '0';
const AS_PART: FieldEncoding<string> = { encode: partOf, absent: UNKNOWN };

/**
 * Writes a folder with an xdb file of ip2region for each family, `<dataset>_v4.xdb` and `<dataset>_v6.xdb`, and
 * LICENSE.txt. A region is `Country|Region|City|ISP|CC`, as ip2region publishes it
 * (https://github.com/lionsoul2014/ip2region/tree/master/data); an unknown part is `0`. The ISP is that of the isp.mmdb
 * beside the dataset, and unknown without one.
 */
export async function exportXdb(
  { dataset, networks, beside }: ExportSource,
  dir: string,
  language: RegionLanguage = 'zh',
): Promise<WrittenFile[]> {
  if (dataset.kind !== 'geo')
    throw new ExportError(`${dataset.path} has no countries, regions and cities: expected geo`);
  const keys = KEYS[language];
  const paths = PLACES.flatMap((place) => keys.map((key) => [...place, 'names', key]));
  const places = new FieldReader(dataset.layout, [...paths, ['country', 'iso_code']], AS_PART);
  const ispPaths = language === 'en' ? [['isp']] : [['isp_names', 'zh-CN'], ['isp']];
  const isps = beside && new FieldReader(beside.dataset.layout, ispPaths, AS_PART);
  const textOf = (offset: number, ispOffset: number | undefined): string => {
    places.read(offset);
    const [country1, country2, region1, region2, city1, city2, code] = places.values;
    const named = [known(country1!, country2!), known(region1!, region2!), known(city1!, city2!)];
    let isp = UNKNOWN;
    if (isps && ispOffset !== undefined) {
      isps.read(ispOffset);
      isp = known(isps.values[0]!, isps.values[1] ?? UNKNOWN);
    }
    return [...named, isp, code].join('|');
  };
  mkdirSync(dir, { recursive: true });
  const name = basename(dataset.path, '.mmdb');
  const notice = `${dataset.notice.join('\n')}\n`;
  const written: WrittenFile[] = [];
  for (const family of [4, 6] as const) {
    const content = {
      family,
      createdAt: dataset.metadata.buildEpoch,
      notice,
      ranges: (visit: Parameters<typeof visitRanges>[3]) => {
        visitRanges(family, { networks: networks(), beside: beside?.networks() }, textOf, visit);
      },
    };
    written.push(await writeXdb(join(dir, `${name}_v${family}.xdb`), content));
  }
  const terms = join(dir, 'LICENSE.txt');
  const sizeBytes = await writeWhole(terms, (writer) => {
    writer.text(notice);
  });
  return [...written, { path: terms, sizeBytes, rows: 0 }];
}

function known(first: string, second: string): string {
  return first === UNKNOWN ? second : first;
}

/** A bar separates the parts, so in a name it becomes a slash. */
function partOf(value: MmdbValue): string {
  return typeof value === 'string' && value !== '' ? value.replaceAll('|', '/') : UNKNOWN;
}

import { encodeMetadata } from '../mmdb/encode-metadata.js';
import type { MmdbMetadata } from '../mmdb/metadata.js';

/** The types under which clients of MaxMind's databases read ours, by our type. */
const EDITIONS: Readonly<Record<string, readonly string[]>> = {
  'ipatlas-City': ['GeoLite2-City', 'GeoIP2-City', 'GeoLite2-Country', 'GeoIP2-Country'],
  'ipatlas-ASN': ['GeoLite2-ASN'],
  'ipatlas-ISP': ['GeoIP2-ISP', 'GeoIP2-Anonymous-IP'],
};

/** The types of databases that have editions. */
export const TYPES_WITH_EDITIONS = Object.keys(EDITIONS);

/** Raised with every change to the editions of equal files. Part of the key of a build. */
export const EDITIONS_VERSION = 1;

/** Returns the editions of a database type such as `ipatlas-ASN (compat=GeoLite2-ASN)`; empty for all other types. */
export function editionsOf(databaseType: string): readonly string[] {
  const [type = ''] = databaseType.split(' ', 1);
  return Object.hasOwn(EDITIONS, type) ? EDITIONS[type]! : [];
}

/** Encodes the metadata of an edition: that of the file with another type, and a note about it in the description. */
export function encodeEdition(metadata: MmdbMetadata, type: string): Buffer {
  const { nodeCount, recordSize, ...rest } = metadata;
  const description = Object.entries(rest.description).map(([language, text]) => {
    return [language, language === 'zh-CN' ? `${text}。${chineseNoteOf(type)}` : `${text}. ${noteOf(type)}`];
  });
  const file = {
    ...rest,
    databaseType: type,
    description: Object.fromEntries(description) as typeof rest.description,
  };
  return encodeMetadata(file, nodeCount, recordSize);
}

function noteOf(type: string): string {
  return `This is data of ipatlas under the database type ${type}, not a database of MaxMind`;
}

function chineseNoteOf(type: string): string {
  return `本文件为 ipatlas 的数据，数据库类型写作 ${type}，并非 MaxMind 的数据库`;
}

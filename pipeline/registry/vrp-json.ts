import { z } from 'zod';
import type { OpenFile } from '../input/published-source.js';
import { FeedError } from '../input/feed-error.js';
import type { Reason, Tally } from '../input/tally.js';
import { readJsonValues } from '../input/json-values.js';
import { parseAsn, type VrpRows } from './vrp-rows.js';

/**
 * Reads the JSON of a validator, one payload at a time:
 *
 *     {"metadata":{…},"roas":[{"asn":"AS13335","prefix":"1.0.0.0/24","maxLength":24,"ta":"apnic"}]}          Routinator
 *     {"metadata":{…},"roas":[{"asn":13335,…,"ta":"apnic","expires":1753280249}],"aspas":[…]}     rpki-client, Cloudflare
 *
 * Payloads that had expired when the file was built are rejected as `date`, whatever the current time. Throws FeedError
 * `header` without payloads, and the errors of `readJsonValues`.
 */
export async function readVrpJson(file: OpenFile, rows: VrpRows, tally: Tally): Promise<void> {
  rows.begin(tally);
  const metadata = new Map<string, unknown>();
  let position = 0;
  await readJsonValues(file, ['$.roas.*', '$.metadata.*'], (member, value, name) => {
    if (member === 'metadata') {
      if (name in metadataSchema.shape) metadata.set(name, value);
      return;
    }
    const refused = addRoa(rows, value, ++position);
    if (refused !== undefined) tally.reject(refused, position, JSON.stringify(value));
  });
  if (position === 0) throw new FeedError('header', file.id, 'no payloads under "roas"');
  rows.end(builtAtIn(Object.fromEntries(metadata)));
}

/** Checks the fields by hand: for a million payloads a schema would take as long as the parser. */
function addRoa(rows: VrpRows, value: unknown, position: number): Reason | undefined {
  if (typeof value !== 'object' || value === null) return 'json';
  const { asn, prefix, maxLength, expires } = value as Readonly<Record<string, unknown>>;
  if (typeof prefix !== 'string') return 'json';
  if (maxLength !== undefined && typeof maxLength !== 'number') return 'json';
  if (expires !== undefined && !isTime(expires)) return 'date';
  const number = typeof asn === 'number' || typeof asn === 'string' ? parseAsn(String(asn)) : undefined;
  return rows.add({ asn: number, prefix, maxLength, expires }, position);
}

/** Whether the value is a time in seconds since 1970, up to the year 2106. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32 - 1;
}

const isoTime = z.string().transform((text) => Date.parse(text) / 1000);

/** rpki-client and Cloudflare write `buildtime`, Routinator `generatedTime` and, as seconds, `generated`. */
const metadataSchema = z.object({
  buildtime: isoTime.optional(),
  generatedTime: isoTime.optional(),
  generated: z.number().optional(),
});

/** Returns the build time of a file in seconds since 1970; undefined if it has none. */
function builtAtIn(metadata: unknown): number | undefined {
  const { data } = metadataSchema.safeParse(metadata);
  const times = [data?.buildtime, data?.generatedTime, data?.generated];
  return times.find((time) => time !== undefined && Number.isFinite(time));
}

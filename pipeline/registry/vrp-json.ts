import { z } from 'zod';
import type { OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import type { Reason, Tally } from '../feeds/tally.js';
import { readJsonValues } from './json-values.js';
import { parseAsn, type VrpRows } from './vrp-rows.js';

/**
 * Reads the JSON of a validator, a payload at a time:
 *
 *     {"metadata":{…},"roas":[{"asn":"AS13335","prefix":"1.0.0.0/24","maxLength":24,"ta":"apnic"}]}          Routinator
 *     {"metadata":{…},"roas":[{"asn":13335,…,"ta":"apnic","expires":1753280249}],"aspas":[…]}     rpki-client, Cloudflare
 *
 * What had expired when the file was built is refused as `date`, whenever we read it. Throws FeedError `header` when
 * there is no payload, and what `readJsonValues` throws.
 */
export async function readVrpJson(file: OpenFile, rows: VrpRows, tally: Tally): Promise<void> {
  rows.begin(tally);
  let builtAt: number | undefined;
  let position = 0;
  await readJsonValues(file, ['$.roas.*', '$.metadata'], (member, value) => {
    if (member === 'metadata') {
      builtAt = builtAtIn(value);
      return;
    }
    const refused = addRoa(rows, value, ++position);
    if (refused !== undefined) tally.reject(refused, position, JSON.stringify(value));
  });
  if (position === 0) throw new FeedError('header', file.id, 'no payload under "roas"');
  rows.end(builtAt);
}

/** A million of them: looked at by hand, where a schema would cost as much as the parser. */
function addRoa(rows: VrpRows, value: unknown, position: number): Reason | undefined {
  if (typeof value !== 'object' || value === null) return 'json';
  const { asn, prefix, maxLength, expires } = value as Readonly<Record<string, unknown>>;
  if (typeof prefix !== 'string') return 'json';
  if (maxLength !== undefined && typeof maxLength !== 'number') return 'json';
  if (expires !== undefined && !isTime(expires)) return 'date';
  const number = typeof asn === 'number' || typeof asn === 'string' ? parseAsn(String(asn)) : undefined;
  return rows.add({ asn: number, prefix, maxLength, expires }, position);
}

/** Seconds since 1970, up to the year 2106. */
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

/** When a file was built, in seconds since 1970; absent where it does not say. */
function builtAtIn(metadata: unknown): number | undefined {
  const { data } = metadataSchema.safeParse(metadata);
  const times = [data?.buildtime, data?.generatedTime, data?.generated];
  return times.find((time) => time !== undefined && Number.isFinite(time));
}

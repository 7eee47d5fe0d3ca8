import { z } from 'zod';
import type { PublishedFile, OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { readEach } from '../../input/read-each.js';
import { dayOfMs, formatDay, isStorableDay } from '../days.js';
import { readJsonLines, type JsonLine } from '../json-lines.js';
import { onlyLayer, type List, type ListContext, type ListSink } from '../list.js';
import type { ListClaim } from '../list-claim.js';
import { plainFile } from '../plain-file.js';
import { PrefixTexts } from '../prefix-texts.js';
import type { Family } from '../../net/address.js';
import { isReservedAsn } from '../../net/as-number.js';

/**
 * Spamhaus DROP (https://www.spamhaus.org/blocklists/do-not-route-or-peer/): networks and autonomous systems that are
 * hijacked or controlled by criminals. Its claims are threats, never a kind of proxy. The file is newline-delimited
 * JSON; the last line has the number of rows, the time and the copyright.
 */
export const SPAMHAUS: List = {
  id: 'spamhaus',
  publisher: 'The Spamhaus Project',
  licence: {
    name: 'Spamhaus DROP terms',
    url: 'https://www.spamhaus.org/drop/terms/',
    attribution: 'Spamhaus DROP, © The Spamhaus Project SLU (https://www.spamhaus.org/drop/)',
    terms: 'free',
  },
  files: [
    dropFile('drop_v4.json', 50_000),
    dropFile('drop_v6.json', 1_000),
    dropFile('asndrop.json', 10_000),
  ],
  cadence: 'daily or more often',
  version: 1,
  tolerance: 0.01,
  maxAgeDays: 30,
  layers: ['drop'],
  combine: onlyLayer,
  read: (files, sinkFor, context) =>
    readEach('spamhaus', files, (file) => readDrop(file, sinkFor(file), context)),
};

function dropFile(name: string, minBytes: number): PublishedFile {
  // The publisher blocks clients that download more than once an hour.
  const download = { url: `https://www.spamhaus.org/drop/${name}`, pauseHours: 1, minBytes };
  return plainFile('spamhaus', name, download);
}

/** `timestamp` is in seconds since 1970 and is converted to a day. */
const metadataSchema = z.object({
  type: z.literal('metadata'),
  timestamp: z.int().transform(dayOfTimestamp).refine(isStorableDay),
  records: z.int(),
  copyright: z.string().optional(),
});
const netblockSchema = z.object({ cidr: z.string() });
const systemSchema = z.object({ asn: z.int() });

async function readDrop(file: OpenFile, sink: ListSink, { log }: ListContext): Promise<void> {
  const lines = await readJsonLines(file);
  const { timestamp: lastSeen, copyright = 'no copyright line' } = metadataOf(file, lines);
  const claim: ListClaim = { threats: ['SPAM'], lastSeen };
  const rows = lines.slice(0, -1);
  if (file.name === 'asndrop.json') for (const row of rows) readSystem(row, sink, claim);
  else readNetblocks(rows, sink, { claim, family: file.name === 'drop_v6.json' ? 6 : 4 });
  log(`${file.id}: ${rows.length} rows of ${formatDay(lastSeen)}, ${copyright}`);
}

/** Reads the last line. Throws FeedError `truncated` when it is not metadata or has another number of rows. */
function metadataOf(file: OpenFile, lines: readonly JsonLine[]): z.infer<typeof metadataSchema> {
  const { data: metadata } = metadataSchema.safeParse(lines.at(-1)?.value);
  if (!metadata) throw new FeedError('truncated', file.id, 'no metadata in the last line');
  if (metadata.records === lines.length - 1) return metadata;
  const found = `${lines.length - 1} rows: expected ${metadata.records} as in the metadata`;
  throw new FeedError('truncated', file.id, found);
}

function readNetblocks(
  rows: readonly JsonLine[],
  sink: ListSink,
  { claim, family }: { readonly claim: ListClaim; readonly family: Family },
): void {
  const prefixes = new PrefixTexts(sink);
  const claimId = sink.intern(claim);
  for (const { value, line, text } of rows) {
    const { data: row } = netblockSchema.safeParse(value);
    if (!row) sink.reject('json', line, text);
    else if (row.cidr.includes(':') !== (family === 6)) sink.reject('family', line, text);
    else prefixes.add(row.cidr, claimId, { position: line, excerpt: text });
  }
}

function readSystem({ value, line, text }: JsonLine, sink: ListSink, claim: ListClaim): void {
  const { data: row } = systemSchema.safeParse(value);
  if (!row) sink.reject('json', line, text);
  else if (!isPublicAsn(row.asn)) sink.reject('asn', line, text);
  else sink.asn(row.asn, claim, line);
}

function isPublicAsn(asn: number): boolean {
  return asn > 0 && !isReservedAsn(asn);
}

/** The limit between seconds (until 2286) and milliseconds (from April 1970) since 1970. */
const LEAST_MS = 10_000_000_000;

function dayOfTimestamp(timestamp: number): number {
  return dayOfMs(timestamp < LEAST_MS ? timestamp * 1_000 : timestamp);
}

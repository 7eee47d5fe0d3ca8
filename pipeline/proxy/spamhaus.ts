import { z } from 'zod';
import type { OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import { readEach } from '../feeds/read-each.js';
import { dayOfMs, formatDay, isStorableDay } from '../lists/days.js';
import { readJsonLines, type JsonLine } from '../lists/json-lines.js';
import { onlyLayer, type List, type ListReading, type ListSink } from '../lists/list.js';
import type { ListClaim } from '../lists/list-claim.js';
import { plainFile } from '../lists/plain-file.js';
import { PrefixTexts } from '../lists/prefix-texts.js';
import type { Family } from '../net/address.js';
import { isReservedAsn } from '../net/as-number.js';

/**
 * Spamhaus DROP (https://www.spamhaus.org/blocklists/do-not-route-or-peer/): netblocks and autonomous systems that
 * are hijacked or run by criminals. A threat and never a kind of proxy. Newline-delimited JSON whose last line tells
 * the number of the rows before it, the time and the copyright.
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
  // Whoever asks more often than once an hour is shut out.
  cadence: 'daily or more often',
  version: 1,
  tolerance: 0.01,
  maxAgeDays: 30,
  layers: ['drop'],
  combine: onlyLayer,
  read: (files, sinkFor, reading) =>
    readEach('spamhaus', files, (file) => readDrop(file, sinkFor(file), reading)),
};

function dropFile(name: string, minBytes: number): ReturnType<typeof plainFile> {
  return plainFile('spamhaus', name, { url: `https://www.spamhaus.org/drop/${name}`, minBytes });
}

/** `timestamp` is in seconds since 1970, here the day of it. */
const metadataSchema = z.object({
  type: z.literal('metadata'),
  timestamp: z.int().transform(dayOfTimestamp).refine(isStorableDay),
  records: z.int(),
  copyright: z.string().optional(),
});
const netblockSchema = z.object({ cidr: z.string() });
const systemSchema = z.object({ asn: z.int() });

async function readDrop(file: OpenFile, sink: ListSink, { log }: ListReading): Promise<void> {
  const lines = await readJsonLines(file);
  const { timestamp: lastSeen, copyright = 'no copyright told' } = metadataOf(file, lines);
  const claim: ListClaim = { threats: ['SPAM'], lastSeen };
  const rows = lines.slice(0, -1);
  if (file.name === 'asndrop.json') for (const row of rows) readSystem(row, sink, claim);
  else readNetblocks(rows, sink, { claim, family: file.name === 'drop_v6.json' ? 6 : 4 });
  log(`${file.id}: ${rows.length} rows of ${formatDay(lastSeen)}, ${copyright}`);
}

/** The last line. Throws FeedError `truncated` when there is none or it counts other rows than are there. */
function metadataOf(file: OpenFile, lines: readonly JsonLine[]): z.infer<typeof metadataSchema> {
  const { data: metadata } = metadataSchema.safeParse(lines.at(-1)?.value);
  if (!metadata) throw new FeedError('truncated', file.id, 'the last line is no metadata');
  if (metadata.records === lines.length - 1) return metadata;
  const found = `${lines.length - 1} rows, the metadata tell of ${metadata.records}`;
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

/** Seconds since 1970 reach this in 2286; ms did so in April 1970. */
const LEAST_MS = 10_000_000_000;

function dayOfTimestamp(timestamp: number): number {
  return dayOfMs(timestamp < LEAST_MS ? timestamp * 1_000 : timestamp);
}

import { z } from 'zod';
import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { parseDay } from '../days.js';
import { readJsonFile } from '../../input/json-file.js';
import type { ExitSink } from './tor-exits.js';

/**
 * Reads Onionoo's details of relays (https://metrics.torproject.org/onionoo.html#details). A row is an address, or a
 * relay that is not an exit. Its position is the 1-based number of the relay. `exit_addresses` are the addresses seen
 * within a day; it is absent when empty and tested only for IPv4. For a family without such an address, the own
 * addresses of a running exit are used, which have ports. Throws FeedError.
 */
export async function readExitDetails(file: OpenFile, sink: ExitSink): Promise<void> {
  const { relays, relays_published: published } = await readJsonFile(file, DOCUMENT);
  const publishedDay = published === undefined ? undefined : parseDay(published);
  if (published !== undefined && publishedDay === undefined) {
    throw new FeedError(
      'header',
      file.id,
      `invalid relays_published ${JSON.stringify(published)}: expected a date`,
    );
  }
  relays.forEach((relay, index) => {
    readRelay(relay, { sink, position: index + 1, publishedDay });
  });
}

const DOCUMENT = z.object({ relays_published: z.string().exactOptional(), relays: z.array(z.unknown()) });

const texts = z.array(z.string()).exactOptional();
/** Fields that were not requested are absent. */
const RELAY = z.object({
  exit_addresses: texts,
  or_addresses: texts,
  flags: texts,
  running: z.boolean().exactOptional(),
  last_seen: z.string().exactOptional(),
});
type Relay = z.infer<typeof RELAY>;

interface Place {
  readonly sink: ExitSink;
  readonly position: number;
  readonly publishedDay: number | undefined;
}

function readRelay(row: unknown, { sink, position, publishedDay }: Place): void {
  const read = RELAY.safeParse(row);
  const excerpt = JSON.stringify(row);
  if (!read.success) {
    sink.reject('json', position, excerpt);
    return;
  }
  const relay = read.data;
  const lastSeen = relay.last_seen === undefined ? publishedDay : parseDay(relay.last_seen);
  const exits = exitsOf(relay);
  if (relay.last_seen !== undefined && lastSeen === undefined) sink.reject('date', position, excerpt);
  else if (exits.length === 0) sink.unknown();
  else for (const address of exits) sink.exit(address, lastSeen, position);
}

/** Returns the exit addresses of a relay; none for a relay that is not an exit. */
function exitsOf(relay: Relay): string[] {
  const seen = relay.exit_addresses ?? [];
  if (!isRunningExit(relay)) return seen;
  const seenIpv4 = seen.some((address) => !isIpv6(address));
  const seenIpv6 = seen.some(isIpv6);
  const own = (relay.or_addresses ?? []).map(hostOf);
  return [...new Set([...seen, ...own.filter((host) => !(isIpv6(host) ? seenIpv6 : seenIpv4))])];
}

/** Whether a relay is a running exit. Without `flags` the document has only exits, requested with `flag=Exit`. */
function isRunningExit({ running, flags }: Relay): boolean {
  return running === true && (flags === undefined || flags.includes('Exit'));
}

/**
 * Returns the host of `1.2.3.4:443` or `[2001:db8::1]:9001`. Returns other texts unchanged; they are rejected
 * later.
 */
function hostOf(text: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\]|([^:]+)):\d+$/.exec(text) ?? [];
  return ipv6 ?? ipv4 ?? text;
}

function isIpv6(address: string): boolean {
  return address.includes(':');
}

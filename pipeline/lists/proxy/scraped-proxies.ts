import type { OpenFile } from '../../input/published-source.js';
import { headerDay } from '../header-day.js';
import type { ListSink } from '../list.js';
import type { ListClaim } from '../list-claim.js';
import { readRawLines } from '../raw-lines.js';
import { LAYER } from './open-proxy-layers.js';
import { endpointHost, withoutUser } from './proxy-endpoint.js';
import { SingleAddresses } from './single-addresses.js';

/**
 * Reads a text with one untested proxy per line. Ignores text after white space. A header comment may have the day.
 * Throws FeedError.
 */
export async function readScrapedProxies(file: OpenFile, sink: ListSink): Promise<void> {
  const hosts = new SingleAddresses(sink, LAYER.scraped);
  let day: number | undefined;
  let claimId: number | undefined;
  await readRawLines(file, sink, (text, line) => {
    if (text.startsWith('#') || text.startsWith(';')) {
      day ??= headerDay(text);
      return;
    }
    claimId ??= sink.intern(scraped(day));
    const endpoint = firstWord(text);
    const host = endpointHost(endpoint);
    const excerpt = withoutUser(endpoint);
    if (host === undefined) sink.reject('columns', line, excerpt);
    else hosts.add(host, claimId, { position: line, excerpt });
  });
}

function scraped(lastSeen: number | undefined): ListClaim {
  return { type: 'PUB', evidence: 'scraped', ...(lastSeen !== undefined && { lastSeen }) };
}

function firstWord(text: string): string {
  const end = text.search(/\s/);
  return (end < 0 ? text : text.slice(0, end)).replace(ZERO_WIDTH, '');
}

const ZERO_WIDTH = /\u200b/gu;

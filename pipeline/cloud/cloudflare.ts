import type { OpenFile } from '../feeds/feed.js';
import { FeedError } from '../feeds/feed-error.js';
import { readEach } from '../feeds/read-each.js';
import { onlyLayer, type List, type ListSink } from '../lists/list.js';
import { PrefixTexts } from '../lists/prefix-texts.js';
import { readTextLines } from '../lists/text-lines.js';
import { CLOUD_TERMS, cloudFile, edgeClaim } from './cloud-list.js';

/**
 * Networks that Cloudflare's edge contacts its customers' servers from (https://www.cloudflare.com/ips/), a prefix per
 * line, without an end of the last line. Exits of its VPN (WARP) and of Apple's relay are not among them.
 */
export const CLOUDFLARE: List = {
  id: 'cloudflare',
  publisher: 'Cloudflare',
  licence: {
    name: 'Cloudflare IP ranges, published for everyone',
    url: 'https://www.cloudflare.com/ips/',
    terms: 'free',
  },
  files: [
    cloudFile('ips-v4', { url: 'https://www.cloudflare.com/ips-v4', minBytes: 100 }),
    cloudFile('ips-v6', { url: 'https://www.cloudflare.com/ips-v6', minBytes: 50 }),
  ],
  cadence: 'rarely',
  ...CLOUD_TERMS,
  layers: ['edge'],
  combine: onlyLayer,
  read: (files, sinkFor) => readEach('cloudflare', files, (file) => readRanges(file, sinkFor(file))),
};

async function readRanges(file: OpenFile, sink: ListSink): Promise<void> {
  const prefixes = new PrefixTexts(sink);
  const claimId = sink.intern(edgeClaim('Cloudflare', { service: 'CDN' }));
  let rows = 0;
  await readTextLines(file, sink, (text, position) => {
    rows++;
    prefixes.add(text, claimId, { position });
  });
  if (rows === 0) throw new FeedError('truncated', file.id, 'there is no row');
}

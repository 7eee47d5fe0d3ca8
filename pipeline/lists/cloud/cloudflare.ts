import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { readEach } from '../../input/read-each.js';
import { onlyLayer, type List, type ListSink } from '../list.js';
import { PrefixTexts } from '../prefix-texts.js';
import { readTextLines } from '../text-lines.js';
import { CLOUDFLARE_RANGES } from '../../input/cloud/cloudflare-ranges.js';
import { CLOUD_TERMS, edgeClaim } from './cloud-list.js';

/**
 * The networks from which Cloudflare's edge contacts the servers of its customers. Exits of its VPN (WARP) and of
 * Apple's relay are not included.
 */
export const CLOUDFLARE: List = {
  id: 'cloudflare',
  publisher: 'Cloudflare',
  licence: {
    name: 'Cloudflare IP ranges, published for everyone',
    url: 'https://www.cloudflare.com/ips/',
    terms: 'free',
  },
  files: CLOUDFLARE_RANGES,
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
  if (rows === 0) throw new FeedError('truncated', file.id, 'no rows');
}

import type { PublishedFile, OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import type { List, ListSink } from '../list.js';
import { plainFile } from '../plain-file.js';
import { PrefixTexts } from '../prefix-texts.js';
import { readTextLines } from '../text-lines.js';

const LAYERS = ['vpn', 'datacenter'] as const;

/** The minimum file sizes, about a twentieth of the real sizes. */
const MIN_BYTES = {
  vpn: { 4: 10_000, 6: 500 },
  datacenter: { 4: 30_000, 6: 8_000 },
} as const;

/**
 * X4BNet's networks of VPN providers and of data centres (https://github.com/X4BNet/lists_vpn). Both are inferred,
 * mostly from whole autonomous systems. The VPN list also has relays and Tor exits. The lists overlap, and neither
 * contains the other. `ipv4.txt` at the root is an old list of data centres and is not read.
 */
export const X4BNET: List = {
  id: 'x4bnet',
  publisher: 'X4BNet',
  licence: { name: 'MIT', url: 'https://github.com/X4BNet/lists_vpn/blob/main/LICENSE', terms: 'free' },
  files: LAYERS.flatMap((layer) => [listFile(layer, 4), listFile(layer, 6)]),
  cadence: 'daily at 08:45 UTC',
  version: 1,
  tolerance: 0.01,
  maxAgeDays: 30,
  layers: LAYERS,
  combine: ([vpn, datacenter]) => {
    const isHosting = datacenter?.isHosting === true ? { isHosting: true } : {};
    return vpn ? { ...vpn, ...isHosting } : datacenter;
  },
  read: (files, sinkFor) => readEach('x4bnet', files, (file) => readNetworks(file, sinkFor(file))),
};

const CLAIMS = { vpn: { type: 'VPN' }, datacenter: { type: 'DCH', isHosting: true } } as const;

function listFile(layer: (typeof LAYERS)[number], family: 4 | 6): PublishedFile {
  const name = `${layer}/ipv${family}.txt`;
  return plainFile('x4bnet', name, {
    url: `https://raw.githubusercontent.com/X4BNet/lists_vpn/main/output/${name}`,
    minBytes: MIN_BYTES[layer][family],
  });
}

/** Reads one network per line. */
async function readNetworks(file: OpenFile, sink: ListSink): Promise<void> {
  const layer = LAYERS.findIndex((name) => file.name.startsWith(`${name}/`));
  const prefixes = new PrefixTexts(sink, layer);
  const claim = sink.intern(CLAIMS[LAYERS[layer]!]);
  await readTextLines(file, sink, (text, position) => {
    prefixes.add(text, claim, { position });
  });
}

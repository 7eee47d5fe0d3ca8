import type { PublishedFile, OpenFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import type { List, ListSink } from '../list.js';
import type { ListClaim } from '../list-claim.js';
import { plainFile } from '../plain-file.js';
import { PrefixTexts } from '../prefix-texts.js';
import { readTextLines } from '../text-lines.js';

/** The carrier ids by file name without `6` and `.txt`, the small carriers first. */
const CARRIERS: Readonly<Record<string, string>> = {
  cernet: 'cernet',
  cstnet: 'cstnet',
  drpeng: 'drpeng',
  chinanet: 'telecom',
  cmcc: 'mobile',
  unicom: 'unicom',
};
const NAMES = Object.keys(CARRIERS);
/** The carriers that provide transit to other carriers. */
const TRANSITS: readonly string[] = ['telecom', 'mobile', 'unicom'];

/** The minimum file sizes. Some carriers have a single IPv6 network. */
const MIN_BYTES = { 4: 200, 6: 10 } as const;

/**
 * The networks of China's carriers (https://github.com/gaoyifan/china-operator-ip), derived from routing tables. A
 * network is in the list of the carrier that announces it, and of carriers on all paths to it. Lists are sets of
 * addresses merged into the fewest prefixes, so prefix lengths have no meaning. `china.txt` is the whole country and is
 * not read.
 */
export const CN_CARRIERS: List = {
  id: 'cn-carriers',
  publisher: 'gaoyifan/china-operator-ip',
  licence: {
    name: 'MIT',
    url: 'https://github.com/gaoyifan/china-operator-ip/blob/master/LICENSE',
    terms: 'free',
  },
  files: NAMES.flatMap((name) => [carrierFile(name), carrierFile(`${name}6`)]),
  cadence: 'daily',
  version: 1,
  tolerance: 0.01,
  maxAgeDays: 180,
  layers: NAMES,
  combine: carrierOf,
  read: (files, sinkFor) => readEach('cn-carriers', files, (file) => readCarrier(file, sinkFor(file))),
};

/**
 * Returns the carrier of a network: a small carrier wins over the large carrier that provides its transit. Networks
 * with transit from two large carriers (1 % of addresses) are customers of both and get no carrier.
 */
function carrierOf(claims: readonly (ListClaim | undefined)[]): ListClaim | undefined {
  const [first, second] = claims.filter((claim) => claim !== undefined);
  const isOfBoth = second !== undefined && TRANSITS.includes(first!.carrier!);
  return isOfBoth ? undefined : first;
}

function carrierFile(list: string): PublishedFile {
  const name = `${list}.txt`;
  return plainFile('cn-carriers', name, {
    url: `https://raw.githubusercontent.com/gaoyifan/china-operator-ip/ip-lists/${name}`,
    minBytes: MIN_BYTES[list.endsWith('6') ? 6 : 4],
  });
}

/** Reads one network per line. */
async function readCarrier(file: OpenFile, sink: ListSink): Promise<void> {
  const name = file.name.replace(/6?\.txt$/, '');
  const prefixes = new PrefixTexts(sink, NAMES.indexOf(name));
  const claim = sink.intern({ carrier: CARRIERS[name]! });
  await readTextLines(file, sink, (text, position) => {
    prefixes.add(text, claim, { position });
  });
}

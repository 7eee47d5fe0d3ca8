import type { FeedFile, OpenFile } from '../feeds/feed.js';
import { readEach } from '../feeds/read-each.js';
import type { List, ListSink } from '../lists/list.js';
import type { ListClaim } from '../lists/list-claim.js';
import { plainFile } from '../lists/plain-file.js';
import { PrefixTexts } from '../lists/prefix-texts.js';
import { readTextLines } from '../lists/text-lines.js';

/** Ids in the table of carriers by file name without `6` and `.txt`, the small ones first. */
const CARRIERS: Readonly<Record<string, string>> = {
  cernet: 'cernet',
  cstnet: 'cstnet',
  drpeng: 'drpeng',
  chinanet: 'telecom',
  cmcc: 'mobile',
  unicom: 'unicom',
};
const NAMES = Object.keys(CARRIERS);
/** Carriers behind which others have their networks. */
const TRANSITS: readonly string[] = ['telecom', 'mobile', 'unicom'];

/** Bytes below which a list is not believed: some carriers have one network of IPv6. */
const MIN_BYTES = { 4: 200, 6: 10 } as const;

/**
 * Networks of China's carriers (https://github.com/gaoyifan/china-operator-ip), drawn from routing tables: a network
 * stands in the list of the carrier that announces it and of those all ways to it lead through. Lists are sets of
 * addresses, merged into the fewest prefixes, so that lengths mean nothing. `china.txt` is all of the country and no
 * carrier's: it is not declared, and so never read.
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
 * Whose network it is: a small carrier's rather than that of a large one which it is reached through. What is reached
 * through two large ones is nobody's: a customer of both (1 % of the addresses).
 */
function carrierOf(claims: readonly (ListClaim | undefined)[]): ListClaim | undefined {
  const [first, second] = claims.filter((claim) => claim !== undefined);
  const isOfBoth = second !== undefined && TRANSITS.includes(first!.carrier!);
  return isOfBoth ? undefined : first;
}

function carrierFile(list: string): FeedFile {
  const name = `${list}.txt`;
  return plainFile('cn-carriers', name, {
    url: `https://raw.githubusercontent.com/gaoyifan/china-operator-ip/ip-lists/${name}`,
    minBytes: MIN_BYTES[list.endsWith('6') ? 6 : 4],
  });
}

/** A network per line. */
async function readCarrier(file: OpenFile, sink: ListSink): Promise<void> {
  const name = file.name.replace(/6?\.txt$/, '');
  const prefixes = new PrefixTexts(sink, NAMES.indexOf(name));
  const claim = sink.intern({ carrier: CARRIERS[name]! });
  await readTextLines(file, sink, (text, position) => {
    prefixes.add(text, claim, { position });
  });
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { isReservedAsn } from '../net/as-number.js';
import { buildGraph, numbersOf, type AsGraph } from './as-graph.js';
import { inferByAsRank, type Inference } from './as-rank.js';
import { inferByGao } from './gao.js';
import { sanitisePaths } from './sanitise-paths.js';
import { allPathsOf, pathsOf, printLabels } from './testing/inference.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const EXPECTED = join(ROOT, '../shared/data/expected');
const skip = existsSync(join(EXPECTED, 'asrank')) ? false : `${EXPECTED} is not there`;

const CLIQUE = [
  174, 209, 286, 701, 1239, 1299, 2828, 2914, 3257, 3320, 3356, 5511, 6453, 6461, 6762, 7018, 12956,
];

/** AS numbers that IANA had not assigned in 2013; the script of the golden files treats them as reserved. */
const UNASSIGNED_2013 = [
  [0, 0],
  [23456, 23456],
  [61440, 131071],
  [133120, 196607],
  [199680, 262143],
  [263168, 327679],
  [328704, 393215],
  [394240, 4294967295],
] as const;
const wasUnassigned = (asn: number) => UNASSIGNED_2013.some(([first, last]) => asn >= first && asn <= last);

/** Files of 2014, which are in the repository. The others are read if they are present on this machine. */
const FIXTURES: Readonly<Record<string, string>> = {
  'asrank/2014.paths.txt.gz': 'as-rank-2014.paths.txt.gz',
  'asrank/2014.asrank.gz': 'as-rank-2014.labels.txt.gz',
};

function pathOf(file: string): string {
  const fixture = FIXTURES[file];
  return fixture === undefined ? join(EXPECTED, file) : join(ROOT, 'fixtures/sources/routeviews', fixture);
}

const linesOf = (file: string) =>
  gunzipSync(readFileSync(pathOf(file)))
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

function graphOfYear(year: string, isReserved: (asn: number) => boolean): AsGraph {
  const raw = pathsOf(linesOf(`asrank/${year}.paths.txt.gz`).map((line) => line.replaceAll('|', ' ')));
  return buildGraph(sanitisePaths(raw, { routeServers: new Set(), isReserved }).paths);
}

/** Converts `a|b|-1` and `a|b|0` to `a>b` and `a=b`. */
function labelsIn(file: string): string[] {
  return linesOf(file).map((line) => {
    const [a = '', b = '', kind] = line.split('|');
    if (kind === '-1') return `${a}>${b}`;
    return Number(a) < Number(b) ? `${a}=${b}` : `${b}=${a}`;
  });
}

/** Pairs of the clique without a path. The script lists them as peers, we list only links on a path. */
const UNSEEN_OF_CLIQUE: Readonly<Record<string, number>> = { '2010': 105, '2014': 12, '2015v6': 35 };

for (const [year, unseen] of Object.entries(UNSEEN_OF_CLIQUE)) {
  t.test(`${year}: the same links and labels as CAIDA's script`, { skip: year !== '2014' && skip }, (t) => {
    const graph = graphOfYear(year, wasUnassigned);
    const inference = inferByAsRank(graph, allPathsOf(graph), numbersOf(graph, CLIQUE));
    const ours = new Set(printLabels(graph, inference));
    const theirs = labelsIn(`asrank/${year}.asrank.gz`);
    const missing = theirs.filter((label) => !ours.delete(label));
    t.same([...ours], [], 'we have no other links');
    const ofClique = missing.filter((label) => label.split('=').every((as) => CLIQUE.includes(Number(as))));
    t.same(missing, ofClique, 'only pairs of the clique are missing');
    t.equal(missing.length, unseen);
    t.end();
  });
}

/** Compares labels with CAIDA's of January 2016 on the common links. */
function agreement(graph: AsGraph, inference: Inference) {
  const theirs = new Map(labelsIn('caida/20160101.as-rel.txt.gz').map((label) => [pairOf(label), label]));
  const common = printLabels(graph, inference).filter((label) => theirs.has(pairOf(label)));
  const isRight = (label: string) => theirs.get(pairOf(label)) === label;
  const isPeering = (label: string) => label.includes('=');
  const share = (part: readonly string[], test: (label: string) => boolean) =>
    part.filter(test).length / part.length;
  return {
    links: common.length,
    agree: share(common, isRight),
    c2p: share(
      common.filter((label) => !isPeering(label)),
      isRight,
    ),
    p2p: share(common.filter(isPeering), isRight),
    p2pFound: share(
      common.filter((label) => isPeering(theirs.get(pairOf(label))!)),
      isRight,
    ),
  };
}

function pairOf(label: string): string {
  const [a, b] = label.split(/[>=]/).map(Number) as [number, number];
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

/** Minimum shares: of the links, of our customer links, of our peerings, of their peerings. */
const LEAST = {
  '2014 AS-Rank': { agree: 0.938, c2p: 0.968, p2p: 0.884, p2pFound: 0.945 },
  '2014 Gao': { agree: 0.848, c2p: 0.825, p2p: 0.931, p2pFound: 0.611 },
  '2010 Gao': { agree: 0.961, c2p: 0.962, p2p: 0.838, p2pFound: 0.154 },
} as const;

for (const [name, least] of Object.entries(LEAST)) {
  t.test(`${name} agrees with CAIDA's file of 2016 at least to the expected shares`, { skip }, (t) => {
    const graph = graphOfYear(name.slice(0, 4), isReservedAsn);
    const infer = name.endsWith('Gao') ? inferByGao : inferByAsRank;
    const found = agreement(graph, infer(graph, allPathsOf(graph)));
    t.comment(JSON.stringify(found));
    t.ok(found.links > 6000);
    for (const [what, share] of Object.entries(least)) {
      t.ok(found[what as keyof typeof least] >= share, `${what}: ${found[what as keyof typeof least]}`);
    }
    t.end();
  });
}

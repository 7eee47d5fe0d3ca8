import { printJson, type BenchReport } from '../../pipeline/bench/bench-report.js';
import { barOnly, joined, type Family, type Findings } from './attack/finding.bench.js';
import { bodies } from './attack/bodies.bench.js';
import { costlyRequests } from './attack/costly-requests.bench.js';
import { documents } from './attack/documents.bench.js';
import { floods } from './attack/floods.bench.js';
import { logBurst } from './attack/log-burst.bench.js';
import { nestedList } from './attack/nested-list.bench.js';
import { nodes } from './attack/nodes.bench.js';
import { oddRequests } from './attack/odd-requests.bench.js';
import { pipelining } from './attack/pipelining.bench.js';
import { trustedHeaders } from './attack/trusted-headers.bench.js';

/**
 * Attacks servers as hostile callers, publishers and nodes do, and measures the service for others. ATTACKED_DIST is
 * the compiled project to attack, this one by default; ATTACKS names families, all by default.
 */
const isQuick = process.argv.includes('--quick');

const FAMILIES: Readonly<Record<string, Family>> = {
  pipelining,
  bodies,
  nestedList,
  documents,
  logBurst,
  oddRequests,
  nodes,
  trustedHeaders,
  floods,
  costlyRequests,
};

async function report(): Promise<BenchReport> {
  const asked = process.env['ATTACKS']?.split(',') ?? Object.keys(FAMILIES);
  const found: Findings[] = [];
  for (const name of asked) {
    const family = FAMILIES[name];
    if (family === undefined)
      throw new Error(`unknown attack "${name}": expected one of ${Object.keys(FAMILIES).join(', ')}`);
    process.stderr.write(`server/attack: ${name}\n`);
    found.push(await outcomeOf(name, family));
  }
  return { bench: 'server/attack', notes: NOTES, ...joined(found) };
}

/** Runs a family. An attack that could not be made is a bar that is missed. */
async function outcomeOf(name: string, family: Family): Promise<Findings> {
  try {
    return await family({ isQuick, processes: isQuick ? [1] : [1, 4] });
  } catch (error) {
    const measured = error instanceof Error ? error.message : String(error);
    return barOnly(name, 'the attacks run', { measured, isMet: false });
  }
}

const NOTES = [
  'the number before a colon is the finding; attackers are processes of their own, on the same machine',
  'others ask from their own addresses every 100 ms; a request without an answer within 30 s counts as 30 s',
  'heapMb and rssMb: peaks of the largest process; answered: share of 200',
];

printJson(await report());

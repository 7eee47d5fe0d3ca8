import { CheckSkipped, type CheckContext, type Check, type Need, type Rule, type Subjects } from './check.js';
import { describeRule, DOCUMENTS, linksOf } from './documents.js';
import { ENDPOINTS } from './endpoint-checks.js';
import { RULES } from './rule-checks.js';
import { CheckFailed, ServiceClient } from './service-client.js';

/** The result of a run. */
export interface ConformanceResult {
  readonly passed: number;
  readonly skipped: number;
  /** Names of the failed checks. */
  readonly failed: readonly string[];
}

/**
 * Checks a service against `server/api.md` and `server/decisions.md`: the 22 endpoints, then the rules.
 * With keys a run makes about 300 requests, 120 of them with the key. It spends about 100 credits, five downloads
 * (two of `asn`, two of `isp`, one of `mmdb`) and the minute of the own-IP endpoints. On plans of 120 requests a
 * minute and more it never has to wait for a new minute.
 */
export async function runConformance(
  url: string,
  subjects: Subjects,
  print: (line: string) => void,
): Promise<ConformanceResult> {
  const client = new ServiceClient(url.replace(/\/+$/, ''));
  const outcomes: Outcome[] = [];
  print(DOCUMENTS);
  for (const check of [...ENDPOINTS, ...RULES]) {
    const outcome = await outcomeOf(check, { ...subjects, client });
    outcomes.push(outcome);
    printOutcome(check, outcome, print);
  }
  print(NOT_OBSERVABLE);
  const count = (kind: Outcome['kind']): number => outcomes.filter((one) => one.kind === kind).length;
  const failed = outcomes.flatMap(({ kind, name }) => (kind === 'FAILED' ? [name] : []));
  print(`${count('ok')} passed, ${failed.length} failed, ${count('skip')} skipped`);
  return { passed: count('ok'), skipped: count('skip'), failed };
}

interface Outcome {
  readonly kind: 'ok' | 'skip' | 'FAILED';
  readonly name: string;
  readonly why?: string;
}

/** Prints one line, and below a failure the documents that describe what was expected. */
function printOutcome(check: Check | Rule, { kind, why }: Outcome, print: (line: string) => void): void {
  const isRule = 'decisions' in check;
  const number = isRule ? 'rule' : `${ENDPOINTS.indexOf(check) + 1}`;
  const title = isRule ? describeRule(check) : check.name;
  print(`${kind.padEnd(6)} ${number.padStart(4)}  ${title}${why === undefined ? '' : `: ${why}`}`);
  if (kind === 'FAILED') print(`${' '.repeat(13)}see ${linksOf(check).join(', ')}`);
}

async function outcomeOf(check: Check, context: CheckContext): Promise<Outcome> {
  const { name, needs } = check;
  const missing = [needs ?? []].flat().find((need) => context[need] === undefined);
  if (missing !== undefined) return { kind: 'skip', name, why: NEEDED[missing] };
  try {
    await check.run(context);
    return { kind: 'ok', name };
  } catch (error) {
    if (error instanceof CheckSkipped) return { kind: 'skip', name, why: error.message };
    // The response is so different that a check threw while reading it.
    const why = error instanceof CheckFailed ? error.message : `unreadable response: ${String(error)}`;
    return { kind: 'FAILED', name, why };
  }
}

const NEEDED: Readonly<Record<Need, string>> = {
  key: 'needs a key',
  enterpriseKey: 'needs a key of the enterprise plan',
  failing: 'needs a host whose name servers fail',
  hidden: 'needs a host that only has private addresses',
  refusedPort: 'needs a port that the service refuses',
  manyPorts: 'needs a host of yours, of which 101 ports are probed',
};

/** Decisions that cannot be observed from outside. */
const NOT_OBSERVABLE =
  'not observable from outside: decisions 4 and 6 (midnight, a killed process), 10 (no Redis), 20 (every row of the ' +
  'IANA registries), 24 (where names are stored), 41 and 42 (how the data is compiled), ' +
  '65 (nodes that break the rules)';

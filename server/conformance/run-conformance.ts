import { NotSeen, type Bench, type Check, type Need, type Subjects } from './check.js';
import { ENDPOINTS } from './endpoint-checks.js';
import { RULES } from './rule-checks.js';
import { Broken, ServiceClient } from './service-client.js';

/** What a run came to. */
export interface ConformanceResult {
  readonly passed: number;
  readonly skipped: number;
  /** Names of what was not kept. */
  readonly failed: readonly string[];
}

/**
 * Holds a service against its description: the twenty-two endpoints, then the rules; a line each. With keys a run makes
 * about 290 requests, 110 of them with the key, spends about 90 credits and five downloads (two of `asn`, two of `isp`,
 * one of `mmdb`), and the minute of the own-IP endpoints; it waits for nobody's minute on plans of 120 requests and more.
 */
export async function runConformance(
  url: string,
  subjects: Subjects,
  say: (line: string) => void,
): Promise<ConformanceResult> {
  const client = new ServiceClient(url.replace(/\/+$/, ''));
  const outcomes: Outcome[] = [];
  for (const [i, check] of [...ENDPOINTS, ...RULES].entries()) {
    const outcome = await outcomeOf(check, { ...subjects, client });
    outcomes.push(outcome);
    const number = i < ENDPOINTS.length ? `${i + 1}` : 'rule';
    const why = outcome.why === undefined ? '' : `: ${outcome.why}`;
    say(`${outcome.kind.padEnd(6)} ${number.padStart(4)}  ${check.name}${why}`);
  }
  say(UNSEEN);
  const count = (kind: Outcome['kind']): number => outcomes.filter((one) => one.kind === kind).length;
  const failed = outcomes.flatMap(({ kind, name }) => (kind === 'FAILED' ? [name] : []));
  say(`${count('ok')} passed, ${failed.length} failed, ${count('skip')} skipped`);
  return { passed: count('ok'), skipped: count('skip'), failed };
}

interface Outcome {
  readonly kind: 'ok' | 'skip' | 'FAILED';
  readonly name: string;
  readonly why?: string;
}

async function outcomeOf(check: Check, bench: Bench): Promise<Outcome> {
  const { name, needs } = check;
  const missing = [needs ?? []].flat().find((need) => bench[need] === undefined);
  if (missing !== undefined) return { kind: 'skip', name, why: NEEDED[missing] };
  try {
    await check.run(bench);
    return { kind: 'ok', name };
  } catch (error) {
    if (error instanceof NotSeen) return { kind: 'skip', name, why: error.message };
    // An answer that is not even of the kind that a rule looks into.
    const why = error instanceof Broken ? error.message : `the answer cannot be read: ${String(error)}`;
    return { kind: 'FAILED', name, why };
  }
}

const NEEDED: Readonly<Record<Need, string>> = {
  key: 'needs a key',
  enterpriseKey: 'needs a key of the enterprise plan',
  failing: 'needs a host whose name servers fail',
  hidden: 'needs a host with private addresses',
};

/** Rulings that no answer shows, and why. */
const UNSEEN =
  'not to be seen from outside: R4 and R6 (midnight, a process that dies), R10 (no Redis), R20 (every row of the ' +
  'registries), R24 (where names are written down), R41 and R42 (choices of how data is made)';

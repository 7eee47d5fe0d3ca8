import { deadlineIn } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';
import type { Outcome } from './global-answer.js';
import type { GlobalDns } from './global-dns.js';
import type { GlobalQuestion } from './global-question.js';

/** Time for worker and resolver together. */
const BUDGET_MS = 6000;

/** Asks a valid question. A resolver that does not answer is an outcome, not an error. */
export async function askGlobally(
  globalDns: GlobalDns,
  { resolver, name, type, vantagePoint }: GlobalQuestion,
): Promise<Exclude<Outcome, { kind: 'refused' }>> {
  const began = performance.now();
  const timeMs = (): number => Math.round(performance.now() - began);
  try {
    const asked = { name: name!, type, subnet: vantagePoint?.subnet };
    const reply = await globalDns.ask(resolver!, asked, deadlineIn(BUDGET_MS));
    return { kind: 'reply', reply, timeMs: timeMs() };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return { kind: 'failed', cause: error, timeMs: timeMs() };
  }
}

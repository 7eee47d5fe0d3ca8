import type { z } from 'zod';
import { Failure } from '../failure.js';
import type { Answer } from './answer.js';
import type { RouteCall } from './call.js';
import type { Preflight, Route, Work } from './route.js';

/** An answer ready to send. JSON is encoded before the call is charged, so an encoding error costs nothing. */
export type Rendered =
  | { readonly kind: 'json'; readonly json: string; readonly headers?: Readonly<Record<string, string>> }
  | Exclude<Answer, { kind: 'json' }>;

/** The state of a call before its admission: the answer, the remaining work, or the failure. */
export type Prepared = Rendered | Work | Failure;

/** Validates a call and runs its route's `answer`. Never throws: any other error becomes Failure(500). */
export function prepareAnswer(route: Route, call: RouteCall): Prepared | Preflight {
  try {
    call.params = parse(route.params, call.params);
    call.query = parse(route.query, call.query);
    if (route.body !== undefined) call.body = parse(route.body, call.body);
    const answer = route.answer(call);
    return typeof answer === 'function' || answer.kind === 'preflight' ? answer : render(answer);
  } catch (error) {
    return asFailure(error);
  }
}

/** Runs a preflight. Never rejects. */
export async function runPreflight(preflight: Preflight): Promise<Prepared> {
  try {
    const answer = await preflight.look();
    return typeof answer === 'function' ? answer : render(answer);
  } catch (error) {
    return asFailure(error);
  }
}

/** Runs the work of an admitted call. Never rejects. */
export async function runWork(work: Work): Promise<Rendered | Failure> {
  try {
    return render(await work());
  } catch (error) {
    return asFailure(error);
  }
}

/** Returns whether a route asked for a preflight. */
export function isPreflight(prepared: Prepared | Preflight): prepared is Preflight {
  return 'kind' in prepared && prepared.kind === 'preflight';
}

/** Returns whether the answer is complete, with no work left. */
export function isRendered(prepared: Prepared): prepared is Rendered {
  return typeof prepared !== 'function' && !(prepared instanceof Failure);
}

/** Converts an error to a Failure: Failure(500) unless it is one. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure(500, 'internal error', {}, { cause: error });
}

function render(answer: Answer): Rendered {
  if (answer.kind !== 'json') return answer;
  const json = JSON.stringify(answer.body);
  return answer.headers === undefined
    ? { kind: 'json', json }
    : { kind: 'json', json, headers: answer.headers };
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Failure(400, describeIssue(parsed.error.issues[0]!));
}

/** Returns the schema's message. Messages of zod itself get the path of the value. */
function describeIssue({ message, path }: z.core.$ZodIssue): string {
  return message.startsWith('Invalid input') && path.length > 0 ? `${path.join('.')}: ${message}` : message;
}

import type { z } from 'zod';
import type { Answer } from './answer.js';
import type { RouteCall } from './call.js';
import { Failure } from '../failure.js';
import type { Inquiry, Route, Work } from './route.js';

/** An answer as it goes out: JSON is text already, so that nobody pays for what cannot be written. */
export type Rendered =
  | { readonly kind: 'json'; readonly json: string; readonly headers?: Readonly<Record<string, string>> }
  | Exclude<Answer, { kind: 'json' | 'encoded' }>;

/** What can be said of a call before it is admitted: the answer, what there is to do for one, or why there is none. */
export type Attempt = Rendered | Work | Failure;

/** Parses what the caller sent and asks the route. Never throws: what is no Failure is a fault of ours. */
export function attempt(route: Route, call: RouteCall): Attempt | Inquiry {
  try {
    call.params = parse(route.params, call.params);
    call.query = parse(route.query, call.query);
    if (route.body !== undefined) call.body = parse(route.body, call.body);
    const answer = route.answer(call);
    return typeof answer === 'function' || answer.kind === 'inquiry' ? answer : render(answer);
  } catch (error) {
    return asFailure(error);
  }
}

/** Asks what must be known before a call is admitted. Never rejects. */
export async function inquire(inquiry: Inquiry): Promise<Attempt> {
  try {
    const answer = await inquiry.inquire();
    return typeof answer === 'function' ? answer : render(answer);
  } catch (error) {
    return asFailure(error);
  }
}

export function isInquiry(tried: Attempt | Inquiry): tried is Inquiry {
  return 'kind' in tried && tried.kind === 'inquiry';
}

/** Runs what was admitted. Never rejects. */
export async function run(work: Work): Promise<Rendered | Failure> {
  try {
    return render(await work());
  } catch (error) {
    return asFailure(error);
  }
}

/** What was thrown, as the caller may hear of it. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure(500, 'something went wrong on our side', {}, { cause: error });
}

function render(answer: Answer): Rendered {
  if (answer.kind === 'encoded') return { kind: 'json', json: answer.json };
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

/** The schema's own words; zod's need the name of what is meant. */
function describeIssue({ message, path }: z.core.$ZodIssue): string {
  return message.startsWith('Invalid input') && path.length > 0 ? `${path.join('.')}: ${message}` : message;
}

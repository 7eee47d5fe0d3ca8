import { UpstreamError } from '../../../upstream-error.js';
import { decodeAnswer, readAnswer } from '../read-answer.js';
import { referralIn } from '../referral.js';
import { splitFields } from '../split-fields.js';
import type { Sample } from './samples.js';

/** Texts that have a meaning in replies, for mutators. */
export const PIECES = [
  ':',
  '\n',
  '\r\n',
  '\t',
  '%',
  '[',
  ']',
  '>>>',
  ' '.repeat(50),
  '\0',
  '::',
  '//',
  'Registrar:\n',
  '- ',
];

/** Reads bytes as a reply. Returns the kind of answer or the reason of an UpstreamError. Rethrows other errors. */
export function outcomeOf({ server, target }: Pick<Sample, 'server' | 'target'>, bytes: Buffer): string {
  const text = decodeAnswer(bytes, undefined);
  referralIn(splitFields(text), target.kind, 43);
  try {
    const answer = readAnswer(server, text, target);
    if (answer.kind === 'found') requireShape(answer.registration);
    return answer.kind;
  } catch (error) {
    if (error instanceof UpstreamError) return error.reason;
    throw error;
  }
}

function requireShape(record: object): void {
  for (const [key, value] of Object.entries(record) as [string, string | string[]][]) {
    const isDate = key.endsWith('_date');
    if (isDate && !/^(?:|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/.test(value as string))
      throw new Error(`${key}: ${String(value)}`);
    if (key === 'nameservers' && !(value as string[]).every((name) => /^[a-z0-9.-]+$/.test(name)))
      throw new Error(`${key}: ${String(value)}`);
  }
}

import type { Subject } from '../subject.js';
import { windowOf, type Admission, type Refusal } from './meter.js';

/** By the result of an operation of ADMISSION_SCRIPT. */
const REFUSALS: readonly (Refusal | undefined)[] = [undefined, 'minute', 'day', 'credits'];
const MINUTE_MS = 60_000;

/** Unpacks the admission in a reply of ADMISSION_SCRIPT. */
export function admissionOf(subject: Subject, reply: number): Admission {
  const { level, requests, msLeft } = minuteOf(reply);
  const reset = Math.ceil((Date.now() + msLeft) / 1000);
  const window = windowOf(subject, { level, requests, reset });
  const refused = REFUSALS[reply % 4];
  return refused === undefined ? { window } : { window, refused };
}

/**
 * Unpacks the minute in a reply of ADMISSION_SCRIPT: the counted requests, the ms until the window ends, and the level
 * of the network whose window it is.
 */
export function minuteOf(reply: number): { level: number; requests: number; msLeft: number } {
  const rest = Math.floor(reply / 16);
  const requests = Math.floor(rest / 65_536);
  // No window is open: one that opened now would end in a minute.
  return {
    level: Math.floor(reply / 4) % 4,
    requests,
    msLeft: requests === 0 ? MINUTE_MS : rest % 65_536,
  };
}

import type { FuzzResult } from './supervise.js';

/** The names of the columns of `formatResult`. */
export const RESULT_HEADER = 'target            inputs  crashes  hangs over 1 s  memory  peak MB  seconds';

/** Formats the result of a target: one line, and a paragraph for each failure. */
export function formatResult(
  { target, inputs, seconds, peakMb, failures }: FuzzResult,
  seed: number,
): string {
  const count = (kind: string): number => failures.filter((failure) => failure.kind === kind).length;
  const line = [
    target.padEnd(14),
    inputs.toLocaleString('en-US').padStart(9),
    String(count('crash')).padStart(8),
    String(count('hang')).padStart(15),
    String(count('memory')).padStart(7),
    String(Math.round(peakMb)).padStart(8),
    String(Math.round(seconds)).padStart(8),
  ].join(' ');
  const texts = failures.map(({ kind, input, path, found }) => {
    const replay = `make fuzz ARGS='--seed ${seed} --only ${target} --input ${input}'`;
    return `  ${kind}: ${path} (${replay})\n    ${found.trim().replaceAll('\n', '\n    ')}`;
  });
  return [line, ...texts].join('\n');
}

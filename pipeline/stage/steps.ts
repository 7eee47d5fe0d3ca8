import type { StageContext } from './stage.js';

/** Reports the steps of a job. */
export interface Steps<Step extends string> {
  /** Reports the begin of a step, with the text to show. Steps may be left out. */
  start(step: Step, text: string): void;
}

/**
 * Divides a job into steps in their order, with weights: about the time of each step, in any unit. The share of the job
 * at the begin of a step is that of all steps before it.
 */
export function stepsOf<Step extends string>(
  { progress }: Pick<StageContext, 'progress'>,
  weights: Readonly<Record<Step, number>>,
): Steps<Step> {
  const names = Object.keys(weights) as Step[];
  const sumOf = (steps: readonly Step[]): number => steps.reduce((sum, step) => sum + weights[step], 0);
  return {
    start: (step, text) => {
      progress({ share: sumOf(names.slice(0, names.indexOf(step))) / sumOf(names), text });
    },
  };
}

import type { StageContext } from './stage.js';

/** Reports the steps of a job. */
export interface Steps {
  /** Reports the begin of the next step; its text is shown. */
  next(text: string): void;
  /** Reports the share of the current step that is done, 0..1. */
  part(share: number): void;
}

/**
 * Divides a job into steps with weights: about the time of each step in any unit. After the last step the share stays
 * at 1.
 */
export function stepsOf({ progress }: Pick<StageContext, 'progress'>, weights: readonly number[]): Steps {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let at = -1;
  let before = 0;
  const report = (share: number, text: { readonly text?: string }): void => {
    const weight = weights[at] ?? 0;
    progress({ share: total === 0 ? 0 : Math.min(1, (before + share * weight) / total), ...text });
  };
  return {
    next: (text) => {
      before += weights[at] ?? 0;
      at += 1;
      report(0, { text });
    },
    part: (share) => {
      report(Math.min(1, Math.max(0, share)), {});
    },
  };
}

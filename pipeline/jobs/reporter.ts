import type { JobEvent } from './job-events.js';
import type { BuildPlan } from './build-progress.js';

/** Shows the progress of a build. */
export interface Reporter {
  /** Sets the jobs of the build. Not called for downloads without a build. */
  planned(plan: BuildPlan): void;
  event(event: JobEvent): void;
  /** Shows a line that belongs to no job. */
  line(text: string): void;
  /** Restores the terminal. Nothing is shown afterwards. */
  close(): void;
}

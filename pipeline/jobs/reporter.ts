import type { JobEvent } from './job-events.js';

/** Shows the progress of a build. */
export interface Reporter {
  event(event: JobEvent): void;
  /** Shows a line that belongs to no job. */
  line(text: string): void;
  /** Restores the terminal. Nothing is shown afterwards. */
  close(): void;
}

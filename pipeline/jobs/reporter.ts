import type { JobEvent } from './job-events.js';

/** Shows a build to whoever started it. */
export interface Reporter {
  event(event: JobEvent): void;
  /** A line that belongs to no job. */
  line(text: string): void;
  /** Leaves the terminal as it was; nothing is shown afterwards. */
  close(): void;
}

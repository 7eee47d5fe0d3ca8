/** After this time without a failed command, failures are logged again. */
const WELL_MS = 60_000;

/** Logs the failures of a Redis: when it is lost and reachable again, and one line for each kind of failed command. */
export class FailureLog {
  #isLost = false;
  /** Messages of failed commands that have been logged. */
  readonly #logged = new Set<string>();
  #lastFailureMs = 0;

  constructor(private readonly log: (line: string) => void) {}

  /** Logs that Redis is lost, once. */
  lost(error: unknown): void {
    if (!this.#isLost) this.log(`Redis is unreachable: ${messageOf(error)}`);
    this.#isLost = true;
  }

  /** Logs that Redis is reachable again, if it was lost. */
  found(): void {
    if (this.#isLost) this.log('Redis is reachable again');
    if (this.#isLost) this.#logged.clear();
    this.#isLost = false;
  }

  /** Logs a failed command. Repeated failures with the same message are logged once. */
  failed(error: unknown): void {
    if (Date.now() - this.#lastFailureMs > WELL_MS) this.#logged.clear();
    this.#lastFailureMs = Date.now();
    const message = messageOf(error);
    if (!this.#logged.has(message)) this.log(`Redis command failed: ${message}`);
    this.#logged.add(message);
  }

  /** Logs nothing from now on about a lost Redis. */
  close(): void {
    this.#isLost = true;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

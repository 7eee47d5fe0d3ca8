/** How a heartbeat pings and reports. */
export interface HeartbeatParts {
  readonly everyMs: number;
  /** Sends a ping. Its pong must carry the same count. */
  readonly ping: (count: number) => void;
  /** Called when the next ping is due but the last one is unanswered. */
  readonly onMissed: () => void;
}

/** Sends pings at an interval. Each must be answered before the next is due. */
export class Heartbeat {
  readonly #timer: NodeJS.Timeout;
  #pings = 0;
  #unanswered: number | undefined;

  constructor(private readonly parts: HeartbeatParts) {
    this.#timer = setInterval(() => {
      this.#beat();
    }, parts.everyMs);
  }

  /** Handles a pong. Returns false if it does not answer the pending ping. */
  answer(count: number): boolean {
    if (count !== this.#unanswered) return false;
    this.#unanswered = undefined;
    return true;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    if (this.#unanswered !== undefined) {
      this.parts.onMissed();
      return;
    }
    this.#unanswered = ++this.#pings;
    this.parts.ping(this.#pings);
  }
}

/** What a heartbeat does. */
export interface HeartbeatParts {
  readonly everyMs: number;
  /** Sends a ping; its pong carries the same count. */
  readonly ping: (count: number) => void;
  /** The next ping was due and the last one is unanswered. */
  readonly onMissed: () => void;
}

/** Pings one after the other, each answered before the next is due. */
export class Heartbeat {
  readonly #timer: NodeJS.Timeout;
  #pings = 0;
  #unanswered: number | undefined;

  constructor(private readonly parts: HeartbeatParts) {
    this.#timer = setInterval(() => {
      this.#beat();
    }, parts.everyMs);
  }

  /** Takes a pong; false when it answers no ping that waits. */
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

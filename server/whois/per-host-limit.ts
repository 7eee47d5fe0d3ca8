import { leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';

/** Bounds how many questions one server gets at a time; who comes later waits its turn, until its deadline at most. */
export class PerHostLimit {
  readonly #queues = new Map<string, Queue>();

  constructor(private readonly concurrency: number) {}

  /** Runs `work` when it is its turn. Throws UpstreamError('timeout') when that does not come before the deadline. */
  async run<T>(host: string, deadline: Deadline, work: () => Promise<T>): Promise<T> {
    const queue = this.#queueOf(host);
    if (queue.running < this.concurrency) queue.running++;
    else await turnIn(queue, host, deadline);
    try {
      return await work();
    } finally {
      this.#leave(queue, host);
    }
  }

  #queueOf(host: string): Queue {
    const existing = this.#queues.get(host);
    if (existing) return existing;
    const queue: Queue = { running: 0, waiting: new Set() };
    this.#queues.set(host, queue);
    return queue;
  }

  /** The place goes to the next one in the queue; only where nobody waits does it become free. */
  #leave(queue: Queue, host: string): void {
    const [next] = queue.waiting;
    if (next !== undefined) {
      queue.waiting.delete(next);
      next();
      return;
    }
    queue.running--;
    if (queue.running === 0) this.#queues.delete(host);
  }
}

interface Queue {
  running: number;
  /** In the order in which they came. */
  readonly waiting: Set<() => void>;
}

function turnIn(queue: Queue, host: string, deadline: Deadline): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      queue.waiting.delete(start);
      reject(new UpstreamError('timeout', `${host} is busy with our earlier questions`));
    }, leftOf(deadline));
    queue.waiting.add(start);
  });
}

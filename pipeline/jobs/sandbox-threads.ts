import type { Child, ChildPool, Worker } from 'bullmq';

/**
 * The threads of a BullMQ worker. BullMQ ends a thread by asking it to finish its job, up to 30 s, and lets the whole
 * process die of a thread that runs out of memory; here a thread can be ended at once, and its death is a line of log.
 */
export class SandboxThreads {
  private readonly pool: ChildPool;
  private terminated = false;

  constructor(worker: Worker, log: (line: string) => void) {
    // No public way leads to it; the brackets are TypeScript's way to a private member.
    this.pool = worker['childPool'] as ChildPool;
    const retain = this.pool.retain.bind(this.pool);
    this.pool.retain = async (file) => {
      const child = await retain(file);
      if (child.listenerCount('error') === 0) {
        child.on('error', (error: Error) => {
          log(`a worker thread failed: ${error.message}`);
        });
      }
      if (this.terminated) {
        await this.pool.kill(child);
        throw new Error('the worker is stopping');
      }
      return child;
    };
  }

  /** Ends all threads, whatever they are doing. */
  async terminate(): Promise<void> {
    this.terminated = true;
    const children: Child[] = [...Object.values(this.pool.retained), ...this.pool.getAllFree()];
    await Promise.all(children.map((child) => this.pool.kill(child)));
  }
}

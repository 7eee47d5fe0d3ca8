import type { Child, ChildPool, Worker } from 'bullmq';

/**
 * The threads of a BullMQ worker. BullMQ ends a thread by asking it to finish its job, up to 30 s, lets the whole
 * process die of a thread that runs out of memory, and loses sight of thread 1 when another one ends (its pool is keyed
 * by |threadId|, and that of an ended thread is -1). Here any thread can be ended at once, and its death is a line of log.
 */
export class SandboxThreads {
  private readonly children = new Set<Child>();
  private readonly pool: ChildPool;
  private terminated = false;

  constructor(
    worker: Worker,
    private readonly log: (line: string) => void,
  ) {
    // No public way leads to it; the brackets are TypeScript's way to a private member.
    this.pool = worker['childPool'] as ChildPool;
    const retain = this.pool.retain.bind(this.pool);
    this.pool.retain = async (file) => {
      const child = await retain(file);
      if (this.terminated) {
        await this.pool.kill(child);
        throw new Error('the worker is stopping');
      }
      if (!this.children.has(child)) this.adopt(child);
      return child;
    };
  }

  /** Ends all threads, whatever they are doing. */
  async terminate(): Promise<void> {
    this.terminated = true;
    await Promise.all([...this.children].map((child) => this.pool.kill(child)));
  }

  private adopt(child: Child): void {
    this.children.add(child);
    child.once('exit', () => this.children.delete(child));
    child.on('error', (error: Error) => {
      this.log(`a worker thread failed: ${error.message}`);
    });
  }
}

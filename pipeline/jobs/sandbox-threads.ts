import type { Child, ChildPool, Worker } from 'bullmq';

/**
 * The threads of a BullMQ worker. Adds what BullMQ lacks:
 *
 * - Any thread can be terminated at once. BullMQ waits up to 30 s for its job.
 * - A thread that runs out of memory is logged. With BullMQ alone it ends the whole process.
 * - Thread 1 stays in the pool when another thread ends. BullMQ keys its pool by |threadId|, which is 1 for an ended
 *   thread, because its threadId is -1.
 */
export class SandboxThreads {
  private readonly children = new Set<Child>();
  private readonly pool: ChildPool;
  private terminated = false;

  constructor(
    worker: Worker,
    private readonly log: (line: string) => void,
  ) {
    // There is no public access; brackets reach a private member in TypeScript.
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

  /** Terminates all threads at once. */
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

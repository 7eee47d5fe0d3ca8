import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until something holds; throws when it does not for very long. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpMs = performance.now() + 20_000;
  while (!(await holds())) {
    if (performance.now() > giveUpMs) throw new Error(`it never came about that ${what}`);
    await sleep(10);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds. Throws after 20 seconds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpMs = performance.now() + 20_000;
  while (!(await holds())) {
    if (performance.now() > giveUpMs) throw new Error(`timed out waiting until ${what}`);
    await sleep(10);
  }
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Attack, Spoils } from './attacker-task.bench.js';

/** Runs an attack in a process of its own. Kills it when it does not end in time. */
export async function launchAttack(attack: Attack): Promise<Spoils> {
  const child = fork(fileURLToPath(new URL('./attacker.bench.js', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const late = setTimeout(() => child.kill('SIGKILL'), attack.limitMs + GRACE_MS);
  const gone = once(child, 'exit');
  child.send(attack);
  const first = (await Promise.race([once(child, 'message'), gone])) as readonly unknown[];
  clearTimeout(late);
  await gone;
  if (typeof first[0] !== 'object' || first[0] === null)
    throw new Error('the attacker ended without a result');
  return first[0] as Spoils;
}

/** Besides the time limit of an attack. */
const GRACE_MS = 15_000;

import { execFileSync } from 'node:child_process';
import type { Lifetime } from './lifetime.js';

/** A network namespace with one address, as a machine has. */
export interface Namespace {
  readonly address: string;
  /** The command that runs another one in it. */
  readonly prefix: readonly string[];
  /** Takes its network away. */
  cut(): void;
  /** Gives it back. */
  mend(): void;
}

/** Namespaces that reach this one, and the address of this one. */
export interface Namespaces {
  readonly hostAddress: string;
  readonly machines: readonly Namespace[];
}

/**
 * Creates network namespaces on one bridge, until the test ends. Returns the reason, as text, where that is not possible:
 * it needs Linux, root and the package iproute2.
 */
export function newNamespacesForTest(t: Lifetime, count: number): Namespaces | string {
  const id = process.pid.toString(36);
  const subnet = `10.213.${process.pid % 250}`;
  const bridge = `ipb${id}`;
  t.teardown(() => {
    for (let i = 0; i < count; i++) tryIp('netns', 'del', `ipn${id}-${i}`);
    tryIp('link', 'del', bridge);
  });
  try {
    ip('link', 'add', bridge, 'type', 'bridge');
    ip('addr', 'add', `${subnet}.1/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
    const machines = Array.from({ length: count }, (_, i) => addNamespace({ id, subnet, bridge }, i));
    return { hostAddress: `${subnet}.1`, machines };
  } catch (error) {
    return `no network namespaces here: ${(error as Error).message.split('\n').at(1) ?? ''}`;
  }
}

function addNamespace(
  { id, subnet, bridge }: { readonly id: string; readonly subnet: string; readonly bridge: string },
  i: number,
): Namespace {
  const [name, outer, inner] = [`ipn${id}-${i}`, `ipo${id}-${i}`, `ipi${id}-${i}`];
  const address = `${subnet}.${10 + i}`;
  ip('netns', 'add', name);
  ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner);
  ip('link', 'set', outer, 'master', bridge, 'up');
  ip('link', 'set', inner, 'netns', name);
  ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', inner);
  ip('-n', name, 'link', 'set', inner, 'up');
  ip('-n', name, 'link', 'set', 'lo', 'up');
  return {
    address,
    prefix: ['ip', 'netns', 'exec', name],
    cut: () => {
      ip('link', 'set', outer, 'down');
    },
    mend: () => {
      ip('link', 'set', outer, 'up');
    },
  };
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' });
}

function tryIp(...args: readonly string[]): void {
  try {
    ip(...args);
  } catch {
    // It was not created.
  }
}

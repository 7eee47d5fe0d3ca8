import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { Lifetime } from '../../../pipeline/testing/lifetime.js';

/** A TCP listener. */
export interface TcpTarget {
  readonly port: number;
  /** Times of the connections, ms of `performance.now()`. */
  readonly connectedMs: readonly number[];
}

/** Starts a listener that accepts connections and passes them to `onSocket`. Closed when the test ends. */
export async function acceptingTarget(
  t: Lifetime,
  { host = '127.0.0.1', onSocket }: { host?: string; onSocket?: (socket: Socket) => void } = {},
): Promise<TcpTarget> {
  const connectedMs: number[] = [];
  const server = createServer((socket) => {
    connectedMs.push(performance.now());
    socket.on('error', () => undefined);
    onSocket?.(socket);
    socket.resume();
  });
  const port = await listenOn(server, host);
  t.teardown(() => server.close());
  return { port, connectedMs };
}

/** Returns a port without a listener, so connections are refused. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listenOn(server, '127.0.0.1');
  server.close();
  await once(server, 'close');
  return port;
}

/** A listener that accepts no connections until it is woken. */
export interface SilentTarget {
  readonly port: number;
  /** Starts accepting connections. */
  readonly wake: () => void;
}

/**
 * Starts a listener that never answers, on every loopback address. It runs in a sleeping thread with a full backlog, so
 * Linux drops every SYN. Closed when the test ends.
 */
export async function silentTarget(t: Lifetime): Promise<SilentTarget> {
  const bell = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(SLEEPER, { eval: true, workerData: bell });
  const [port] = (await once(worker, 'message')) as [number];
  const fillers = Array.from({ length: BACKLOG + 2 }, () => connect({ host: '127.0.0.1', port }));
  for (const filler of fillers) filler.on('error', () => undefined);
  await Promise.all(fillers.slice(0, BACKLOG + 1).map((filler) => once(filler, 'connect')));
  const wake = (): void => {
    Atomics.store(bell, 0, 1);
    Atomics.notify(bell, 0);
  };
  t.teardown(async () => {
    for (const filler of fillers) filler.destroy();
    wake();
    await worker.terminate();
  });
  return { port, wake };
}

const BACKLOG = 1;

const SLEEPER = `
const { createServer } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const server = createServer((socket) => socket.on('error', () => undefined).resume());
server.listen({ host: '0.0.0.0', port: 0, backlog: ${BACKLOG} }, () => {
  parentPort.postMessage(server.address().port);
  setImmediate(() => Atomics.wait(workerData, 0, 0));
});
`;

async function listenOn(server: Server, host: string): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

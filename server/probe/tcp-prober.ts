import assert from 'node:assert';
import { connect, isIP, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CountPerKey } from '../count-per-key.js';
import { ProbeRefused, type Probe, type Prober, type RoundTrips } from './prober.js';
import { roundTo2 } from './summary.js';

/** Pause between the end of one attempt and the start of the next. */
export const GAP_MS = 100;

/** Limits of concurrent probes. A probe has at most one connection. */
export interface ProbeLimits {
  /** In this process: well below the limit of open descriptors. */
  readonly inAll: number;
  /** To one address, so that callers cannot flood it: with `GAP_MS` at most ten connections a second per probe. */
  readonly perAddress: number;
}

/** At most 320 connections a second to one address, and far fewer descriptors than 4096. */
export const PROBE_LIMITS: ProbeLimits = { inAll: 1000, perAddress: 32 };

/**
 * Probes from this machine. Rejects probes beyond the limits immediately: a queued probe would outlast the response
 * time limit.
 */
export class TcpProber implements Prober {
  readonly #perAddress = new CountPerKey();
  readonly #sockets = new Set<Socket>();
  #running = 0;
  #isClosed = false;

  constructor(private readonly limits: ProbeLimits = PROBE_LIMITS) {}

  async probe(probe: Probe): Promise<RoundTrips> {
    // connect() would resolve a name without consulting the guard.
    assert(isIP(probe.ip) !== 0, probe.ip);
    this.#enter(probe.ip);
    try {
      return await this.#attempts(probe);
    } finally {
      this.#leave(probe.ip);
    }
  }

  /** The number of running probes. */
  get running(): number {
    return this.#running;
  }

  /** Ends running probes. They and all later ones throw ProbeRefused. */
  close(): void {
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.destroy(new ProbeRefused('the prober is closed'));
  }

  async #attempts(probe: Probe): Promise<RoundTrips> {
    const rtts = [await this.#attempt(probe)];
    while (rtts.length < probe.count) {
      await sleep(GAP_MS);
      rtts.push(await this.#attempt(probe));
    }
    return rtts;
  }

  #attempt({ ip, port, timeoutMs }: Probe): Promise<number | null> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new ProbeRefused('the prober is closed');
      const startedMs = performance.now();
      const socket = connect({ host: ip, port, autoSelectFamily: false });
      this.#sockets.add(socket);
      const timer = setTimeout(() => socket.destroy(), timeoutMs);
      socket.once('connect', () => {
        const tookMs = roundTo2(performance.now() - startedMs);
        // The timer may fire late.
        resolve(tookMs <= timeoutMs ? tookMs : null);
        socket.destroy();
      });
      socket.on('error', (error) => {
        if (isOurFault(error)) reject(refusal(error));
      });
      // No effect if the promise is already settled.
      socket.once('close', () => {
        clearTimeout(timer);
        this.#sockets.delete(socket);
        resolve(null);
      });
    });
  }

  #enter(ip: string): void {
    const toAddress = this.#perAddress.of(ip);
    if (toAddress >= this.limits.perAddress)
      throw new ProbeRefused(`${toAddress} probes of ${ip} are already running`);
    if (this.#running >= this.limits.inAll)
      throw new ProbeRefused(`${this.#running} probes are already running`);
    this.#perAddress.enter(ip);
    this.#running++;
  }

  #leave(ip: string): void {
    this.#perAddress.leave(ip);
    this.#running--;
  }
}

/** Error codes of connect() that mean this machine is out of ports, descriptors or memory. */
const OUR_FAULTS: ReadonlySet<string | undefined> = new Set([
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
]);

function isOurFault(error: NodeJS.ErrnoException): boolean {
  return error instanceof ProbeRefused || OUR_FAULTS.has(error.code);
}

function refusal(error: NodeJS.ErrnoException): ProbeRefused {
  if (error instanceof ProbeRefused) return error;
  return new ProbeRefused(`this machine cannot open a connection: ${error.message}`, { cause: error });
}

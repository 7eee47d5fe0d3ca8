import { Cluster, type ClusterOptions, type Redis } from 'ioredis';
import { FailureLog } from '../failure-log.js';
import {
  accountsUnavailable,
  addScripts,
  TIMEOUT_MS,
  type RedisConnection,
  type Scripts,
  type Subscription,
} from '../redis-connection.js';
import { handleAsking } from './asking.js';
import { clusterAddressOf } from './cluster-address.js';
import { ClusterMasters, type ClusterMaster } from './cluster-masters.js';
import { HomeSubscriber } from './home-subscriber.js';
import { TICK_MS } from './master-watch.js';
import { PUBLISH_SCRIPTS, type PublishCommands } from './publish-script.js';
import { withinTimeout } from './within-timeout.js';

const RETRY_MS = 100;
const HANDSHAKE_MS = 3000;
/** This error of ioredis follows the one of the socket, which says more. */
const CLOSED = 'Connection is closed.';
/** Ticks between two looks for a new master while one is lost. */
const REFRESH_TICKS = 5;
/** Ticks until a cluster that does not answer counts as lost. */
const START_TICKS = 20;
/** Ticks without a master until the cluster is looked for at the addresses of the settings again. */
const FORGET_TICKS = 200;
/** Any key with the tag of probe nodes. The master of its slot is the home: it has the clock that gives the date. */
const HOME_KEY = 'ipatlas:{nodes}:home';

/**
 * The connection to a Redis Cluster. Commands fail at once while the master of their key is not connected; the others
 * are sent. Only commands that Redis refused without running them are sent again: MOVED, ASK, TRYAGAIN, CLUSTERDOWN.
 */
export class WatchedCluster implements RedisConnection {
  readonly client: Cluster;
  readonly isCluster = true;
  readonly #commands: PublishCommands;
  readonly #failures: FailureLog;
  readonly #masters: ClusterMasters;
  readonly #subscribers = new Set<HomeSubscriber>();
  readonly #timer: NodeJS.Timeout;
  #lastError: Error | undefined;
  #clockAheadMs = 0;
  #lostTicks = 0;
  #wasReady = false;

  /** `log` gets a line when a master is lost or all are restored, and one for each kind of failed command. */
  constructor(urls: readonly string[], log: (line: string) => void = () => undefined) {
    this.#failures = new FailureLog(log);
    const { nodes, options } = clusterAddressOf(urls);
    this.client = new Cluster(nodes, { ...OPTIONS, redisOptions: { ...NODE_OPTIONS, ...options } });
    this.#masters = new ClusterMasters(this.client);
    this.#commands = this.withScripts<PublishCommands>(PUBLISH_SCRIPTS);
    this.client.on('error', (error: Error) => (this.#lastError ??= error));
    this.client.on('node error', (error: Error, server: string) => {
      if (this.#lastError && error.message === CLOSED) return;
      this.#lastError = new Error(`${server}: ${error.message}`, { cause: error });
    });
    this.client.on('+node', handleAsking);
    this.client.on('+node', this.#tick);
    this.client.on('refresh', this.#tick);
    this.#timer = setInterval(this.#tick, TICK_MS).unref();
  }

  get isReady(): boolean {
    return this.client.status === 'ready' && this.#masters.areReady;
  }

  isReadyFor(key: string): boolean {
    return this.client.status === 'ready' && this.#masters.watchOf(key)?.isReady === true;
  }

  /** The time on the clock of the home. While it is lost, the last known offset is used. */
  now(): number {
    return Date.now() + this.#clockAheadMs;
  }

  nowFor(key: string): number {
    return Date.now() + (this.#masters.watchOf(key)?.clockAheadMs ?? this.#clockAheadMs);
  }

  async readClock(key: string): Promise<void> {
    await this.#masters.watchOf(key)?.readClock();
  }

  async ready(patienceMs: number): Promise<boolean> {
    const until = Date.now() + patienceMs;
    while (!this.isReady && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
    return this.isReady;
  }

  watched<T>(command: Promise<T>): Promise<T> {
    return withinTimeout(command, TIMEOUT_MS);
  }

  async reply<T>(command: Promise<T>): Promise<T> {
    try {
      return await this.watched(command);
    } catch (cause) {
      this.failed(cause);
      throw accountsUnavailable(cause);
    }
  }

  withScripts<Commands>(scripts: Scripts<Commands>) {
    return addScripts(this.client, scripts);
  }

  servers(): readonly Redis[] {
    return this.client.nodes('master').filter(({ status }) => status === 'ready');
  }

  /** Returns the masters that have slots; empty while no server of the cluster is found. */
  shape(): readonly ClusterMaster[] {
    return this.#masters.shape();
  }

  publish(channel: string, text: string): Promise<number> {
    return this.watched(this.#commands.publishAt(HOME_KEY, channel, text));
  }

  subscribe(subscription: Subscription): () => void {
    const subscriber = new HomeSubscriber(subscription);
    this.#subscribers.add(subscriber);
    subscriber.follow(this.#masters.masterOf(HOME_KEY));
    return () => {
      this.#subscribers.delete(subscriber);
      subscriber.close();
    };
  }

  failed(error: unknown): void {
    if (this.isReady) this.#failures.failed(error);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#failures.close();
    this.client.off('+node', this.#tick);
    this.client.off('refresh', this.#tick);
    for (const subscriber of this.#subscribers) subscriber.close();
    this.client.disconnect();
    this.#masters.close();
  }

  /** Follows the masters, which may have become others, and looks for new ones while one is lost. */
  readonly #tick = (): void => {
    this.#masters.follow();
    this.#clockAheadMs = this.#masters.watchOf(HOME_KEY)?.clockAheadMs ?? this.#clockAheadMs;
    for (const subscriber of this.#subscribers) subscriber.follow(this.#masters.masterOf(HOME_KEY));
    this.#judge();
  };

  #judge(): void {
    if (this.isReady) {
      this.#lostTicks = 0;
      this.#wasReady = true;
      this.#lastError = undefined;
      this.#failures.found();
      return;
    }
    this.#lostTicks++;
    if (this.#lostTicks % REFRESH_TICKS !== 0) return;
    // The first connections may take a while.
    if (!this.#wasReady && this.#lostTicks < START_TICKS && this.#lastError === undefined) return;
    this.#failures.lost(this.#lastError ?? new Error('a master of the cluster does not answer'));
    if (this.client.status !== 'ready') return;
    if (!this.#masters.isAnyReady && this.#lostTicks % FORGET_TICKS === 0) this.client.disconnect(true);
    else this.client.refreshSlotsCache();
  }
}

const OPTIONS: Omit<ClusterOptions, 'redisOptions'> = {
  enableOfflineQueue: false,
  // Would ask a server whose connection is being opened, and fail. The watches know which masters are ready.
  enableReadyCheck: false,
  // A command whose connection was lost may have been run.
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 100,
  retryDelayOnTryAgain: 50,
  // `withinTimeout` ends them earlier.
  maxRedirections: 64,
  clusterRetryStrategy: () => RETRY_MS,
  clusterNodeRetryStrategy: () => RETRY_MS,
  slotsRefreshTimeout: TIMEOUT_MS / 2,
  // Names stay names, for certificates.
  dnsLookup: (host, found) => {
    found(null, host);
  },
};

const NODE_OPTIONS = {
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: HANDSHAKE_MS,
};

import type { Redis } from 'ioredis';
import type { Subscription } from '../redis-connection.js';

const RETRY_MS = 100;

/**
 * Subscribes to channels at the home of a cluster, the master to which all processes publish. Follows the home when it
 * is another master, so that a publisher learns how many processes it reached.
 */
export class HomeSubscriber {
  #home: Redis | undefined;
  #connection: Redis | undefined;

  constructor(private readonly subscription: Subscription) {}

  /** Subscribes at another home. A home that is not known changes nothing. */
  follow(home: Redis | undefined): void {
    if (home === undefined || home === this.#home) return;
    this.#leave();
    this.#home = home;
    this.#connection = this.#subscribeAt(home);
  }

  close(): void {
    this.#connection?.disconnect();
  }

  /** Leaves the old home. A frozen one closes its connection late, when the new subscription is up already. */
  #leave(): void {
    if (!this.#connection) return;
    this.#connection.removeAllListeners('close');
    this.#connection.removeAllListeners('ready');
    this.#connection.disconnect();
    this.subscription.onLost?.();
  }

  #subscribeAt(home: Redis): Redis {
    const { channels, onMessage, onSubscribed, onLost } = this.subscription;
    const connection = home.duplicate({
      lazyConnect: false,
      // Subscribes again on every connection, and needs to know when that is done.
      autoResubscribe: false,
      maxRetriesPerRequest: null,
      // A subscription is silent until a message is published.
      socketTimeout: undefined,
      retryStrategy: () => RETRY_MS,
    });
    connection.on('message', onMessage);
    connection.on('ready', () => {
      // The next connection subscribes again.
      connection.subscribe(...channels).then(onSubscribed, () => undefined);
    });
    if (onLost !== undefined) connection.on('close', onLost);
    // The main connection logs the errors of the cluster.
    connection.on('error', () => undefined);
    return connection;
  }
}

import { Redis, type RedisOptions } from 'ioredis';
import { RedisLostError, RedisUnreachableError } from './redis-errors.js';

/** Where a Redis is: a `redis:`/`rediss:` URL or the path of a Unix socket. */
export type RedisAddress = { readonly url: string } | { readonly socketPath: string };

/** Options for a connection as BullMQ takes them. */
export type ConnectionOptions = {
  readonly url?: string;
  readonly path?: string;
  /** Commands wait for the connection; BullMQ's blocking reads cannot do otherwise. */
  readonly maxRetriesPerRequest: null;
  readonly connectTimeout: number;
  /** Wait before the next attempt in ms; null to give up. */
  readonly retryStrategy: (times: number) => number | null;
};

/** A Redis that has answered, watched by a connection of its own. */
export interface RedisLink {
  /** The address as it may be printed, without a password. */
  readonly name: string;
  /** For the connections that BullMQ makes. */
  readonly connection: ConnectionOptions;
  /** Resolves when Redis has gone for good; pending for ever after `close`. */
  readonly lost: Promise<RedisLostError>;
  close(): void;
}

const CONNECT_MS = 3000;
const HEARTBEAT_MS = 2000;
/** Silence after which a server that still holds its connection counts as gone: a frozen one, a cut cable. */
const SILENCE_MS = 5000;
const RETRY_MS = 250;
/** How long a lost connection is tried anew: a network blinks, a private server that is gone stays gone. */
const PATIENCE_URL_MS = 5000;
const PATIENCE_SOCKET_MS = 1500;

/** Waits for the first PONG and watches from then on. Throws RedisUnreachableError within a few seconds. */
export async function linkRedis(address: RedisAddress): Promise<RedisLink> {
  const name = printable(address);
  try {
    await probe(address);
  } catch (error) {
    throw new RedisUnreachableError(`no Redis at ${name}: ${reasonOf(error)}`, { cause: error });
  }
  const patienceMs = 'url' in address ? PATIENCE_URL_MS : PATIENCE_SOCKET_MS;
  const connection = {
    ...('url' in address ? { url: address.url } : { path: address.socketPath }),
    maxRetriesPerRequest: null,
    connectTimeout: CONNECT_MS,
    retryStrategy: (times: number) => (times * RETRY_MS > patienceMs ? null : RETRY_MS),
  };
  return { name, connection, ...watch(address, patienceMs) };
}

/** Process id of the server that answers; tried once. Rejects with what the socket or Redis said. */
export async function probe(address: RedisAddress): Promise<number> {
  const client = newClient(address, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: CONNECT_MS,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  let socketError: Error | undefined;
  client.on('error', (error: Error) => (socketError = error));
  try {
    await client.connect();
    await client.ping();
    return Number(/process_id:(\d+)/.exec(await client.info('server'))?.[1]);
  } catch (error) {
    // connect() itself only says that the connection was closed.
    throw socketError ?? error;
  } finally {
    client.disconnect();
  }
}

/** The URL without user and password, or the socket's path. */
export function printable(address: RedisAddress): string {
  if ('socketPath' in address) return address.socketPath;
  if (!URL.canParse(address.url)) return 'REDIS_URL';
  const { protocol, host, pathname } = new URL(address.url);
  return `${protocol}//${host}${pathname}`;
}

/** The one option left out does not type-check with exact optional properties. */
type ClientOptions = Omit<RedisOptions, 'replyMapping'>;

function newClient(address: RedisAddress, options: ClientOptions): Redis {
  return 'url' in address
    ? new Redis(address.url, options)
    : new Redis({ ...options, path: address.socketPath });
}

function watch(address: RedisAddress, patienceMs: number): Pick<RedisLink, 'lost' | 'close'> {
  const client = newClient(address, {
    maxRetriesPerRequest: null,
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    retryStrategy: () => RETRY_MS,
  });
  let lastError: Error | undefined;
  const remember = (error: Error): void => {
    lastError = error;
  };
  const heartbeat = setInterval(() => void client.ping().catch(remember), HEARTBEAT_MS);
  let patience: NodeJS.Timeout | undefined;
  const close = (): void => {
    clearInterval(heartbeat);
    clearTimeout(patience);
    client.removeAllListeners('close');
    client.disconnect();
  };
  const lost = new Promise<RedisLostError>((resolve) => {
    const giveUp = (): void => {
      close();
      resolve(new RedisLostError(`Redis at ${printable(address)} is gone: ${reasonOf(lastError)}`));
    };
    client.on('error', remember);
    client.on('close', () => (patience ??= setTimeout(giveUp, patienceMs)));
    client.on('ready', () => {
      clearTimeout(patience);
      patience = undefined;
    });
  });
  return { lost, close };
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error && error.message !== '' ? error.message : 'the connection was closed';
}

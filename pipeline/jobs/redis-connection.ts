import { Redis, type RedisOptions } from 'ioredis';
import { RedisLostError, RedisUnreachableError } from './redis-errors.js';

/** The address of a Redis: a `redis:`/`rediss:` URL or the path of a Unix socket. */
export type RedisAddress = { readonly url: string } | { readonly socketPath: string };

/** Connection options for BullMQ. */
export type ConnectionOptions = {
  readonly url?: string;
  readonly path?: string;
  /** Commands wait for the connection, as BullMQ's blocking reads require. */
  readonly maxRetriesPerRequest: null;
  readonly connectTimeout: number;
  /** Returns the wait before the next attempt in ms, or null to give up. */
  readonly retryStrategy: (times: number) => number | null;
};

/** A Redis that has responded. A separate connection watches it. */
export interface RedisLink {
  /** The address for messages, without a password. */
  readonly name: string;
  /** Options for BullMQ's connections. */
  readonly connection: ConnectionOptions;
  /** Resolves when Redis is lost for good. Never settles after `close`. */
  readonly lost: Promise<RedisLostError>;
  close(): void;
}

const CONNECT_MS = 3000;
const HEARTBEAT_MS = 2000;
/** Silence after which a connected server counts as lost: a frozen process or a cut cable. */
const SILENCE_MS = 5000;
const RETRY_MS = 250;
/** How long to reconnect. A network may recover; a private server that has ended does not come back. */
const PATIENCE_URL_MS = 5000;
const PATIENCE_SOCKET_MS = 1500;

/** Waits for the first PONG, then watches the server. Throws RedisUnreachableError within a few seconds. */
export async function linkRedis(address: RedisAddress): Promise<RedisLink> {
  const name = redisName(address);
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

/** Connects once and returns the server's process id. Rejects with the error of the socket or of Redis. */
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
    // The error of connect() is only "connection is closed".
    throw socketError ?? error;
  } finally {
    client.disconnect();
  }
}

/** Returns the URL without user and password, or the socket's path. */
export function redisName(address: RedisAddress): string {
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
      resolve(new RedisLostError(`Redis at ${redisName(address)} was lost: ${reasonOf(lastError)}`));
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

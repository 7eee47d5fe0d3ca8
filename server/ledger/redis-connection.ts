import type { Cluster, Redis } from 'ioredis';
import { Failure } from '../failure.js';

/** A Lua script that becomes a command of a connection. */
export interface Script {
  readonly lua: string;
  /** Absent when the first argument of the command is the number of keys. */
  readonly numberOfKeys?: number;
}

/** The scripts of some commands, by command name. */
export type Scripts<Commands> = { readonly [Name in keyof Commands]: Script };

/**
 * After this time without a reply the connection is closed and pending commands fail. A healthy Redis on a loaded
 * machine may be silent for some hundred milliseconds.
 */
export const TIMEOUT_MS = 1000;

/** Sends commands to one server, or each command to the master of its key. */
export type RedisClient = Redis | Cluster;

/** What a subscriber of channels does. */
export interface Subscription {
  readonly channels: readonly string[];
  readonly onMessage: (channel: string, text: string) => void;
  /** Called after each subscription, because messages may have been missed. */
  readonly onSubscribed: () => void;
  /** Called when the subscription is lost. It is renewed until it is closed. */
  readonly onLost?: () => void;
}

/**
 * The Redis of accounts and meters: one server, or a cluster. No command waits much longer than TIMEOUT_MS; commands
 * fail at once while their server is not connected. A command whose reply was lost is never sent again, because it may
 * have been run. Reconnecting is tried forever.
 */
export interface RedisConnection {
  /** In a cluster, all keys of a command need the same hash tag. */
  readonly client: RedisClient;
  readonly isCluster: boolean;
  /** Whether commands can be sent, in a cluster to all masters. */
  readonly isReady: boolean;
  /** Returns whether commands with this key can be sent. */
  isReadyFor(key: string): boolean;
  /** The time in milliseconds since 1970, on a clock that all processes share. */
  now(): number;
  /** The time on the clock of the server that holds a key. */
  nowFor(key: string): number;
  /** Measures the offset of the clock of the server that holds a key. */
  readClock(key: string): Promise<void>;
  /** Waits until commands can be sent. Returns false when that takes longer than `patienceMs`. */
  ready(patienceMs: number): Promise<boolean>;
  /** Limits the time of a command that has just been sent. */
  watched<T>(command: Promise<T>): Promise<T>;
  /** Waits for the reply to a command that has just been sent. Throws Failure(503) when it fails. */
  reply<T>(command: Promise<T>): Promise<T>;
  /** Adds Lua scripts as commands. Returns the client with the type of these commands. */
  withScripts<Commands>(scripts: Scripts<Commands>): RedisClient & Commands;
  /** Returns the connected servers: the one, or the masters of a cluster. */
  servers(): readonly Redis[];
  /** Publishes a message. Returns the number of subscribers that it reached. */
  publish(channel: string, text: string): Promise<number>;
  /** Subscribes over a connection of its own. Returns a function that closes it. */
  subscribe(subscription: Subscription): () => void;
  /** Logs a failed command. Repeated failures with the same message are logged once. */
  failed(error: unknown): void;
  close(): void;
}

/** The answer to a call that needs Redis while Redis is unavailable (decision 10). */
export function accountsUnavailable(cause?: unknown): Failure {
  return new Failure(503, 'accounts are unavailable, try again later', {}, { cause });
}

/** Adds Lua scripts as commands of a client. */
export function addScripts<Commands>(
  client: RedisClient,
  scripts: Scripts<Commands>,
): RedisClient & Commands {
  for (const [name, script] of Object.entries<Script>(scripts)) client.defineCommand(name, script);
  return client as RedisClient & Commands;
}

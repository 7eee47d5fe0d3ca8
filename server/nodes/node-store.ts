import type { RedisAddress } from '../config.js';
import { openConnection } from '../ledger/open-connection.js';
import type { RedisClient, RedisConnection } from '../ledger/redis-connection.js';
import { adoptNodes } from './adopt-nodes.js';
import {
  CHANGES_CHANNEL,
  nodeKeys,
  parseNodeRecord,
  parsePresence,
  registrationOf,
  type NodeChange,
  type NodeKeys,
  type NodeRecord,
  type Presence,
} from './node-records.js';
import {
  ADD_NODE_SCRIPT,
  HOLD_NODE_SCRIPT,
  LEAVE_NODE_SCRIPT,
  REMOVE_NODE_SCRIPT,
  ROTATE_TOKEN_SCRIPT,
} from './node-scripts.js';
import { hashOfToken, isNodeToken, newNodeToken } from './node-token.js';
import type { NodeRegistration } from './probe-node.js';

/** Thrown when a command is invalid. The message is for the operator. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
}

/** A registered node with its current state. */
export interface KnownNode extends NodeRegistration {
  readonly created: string;
  /** ISO 8601. Absent if it was never online. */
  readonly lastSeen: string | undefined;
  /** Absent while the node is offline. */
  readonly presence: Presence | undefined;
}

/** A connection with a valid node token. */
export interface Admitted {
  readonly node: NodeRegistration;
  /** Hash of the token. */
  readonly hash: string;
  readonly connection: number;
}

/** The result of marking a node as online. */
export type Held = 'held' | 'replaced' | 'revoked';

/** How long a connecting node waits for Redis. */
const PATIENCE_MS = 1000;

interface Found {
  readonly id: number;
  readonly record: NodeRecord;
}

/** Registered nodes and their connections, in Redis. Methods reject when Redis fails. */
export class NodeStore {
  readonly #keys: NodeKeys;

  constructor(private readonly redis: RedisConnection) {
    this.#keys = nodeKeys(redis.isCluster);
  }

  /** Registers a node. Throws NodeError if the code is taken. */
  async add(asked: Omit<NodeRegistration, 'id'>): Promise<{ token: string; node: NodeRegistration }> {
    const id = await this.#do(this.#client.incr(this.#keys.lastNode));
    const token = newNodeToken();
    const record = { ...asked, hash: hashOfToken(token), created: new Date().toISOString() };
    const { codes, registered, tokens } = this.#keys;
    const added = await this.#run(
      ADD_NODE_SCRIPT,
      [codes, registered, tokens],
      [id, record.code, record.hash, JSON.stringify(record)],
    );
    if (added === 0) throw new NodeError(`node ${asked.code} already exists`);
    return { token, node: registrationOf(id, record) };
  }

  /** Lists all nodes by id. */
  async list(): Promise<readonly KnownNode[]> {
    const keys = this.#keys;
    const [records, seen] = await this.#do(
      Promise.all([this.#client.hgetall(keys.registered), this.#client.hgetall(keys.seen)]),
    );
    const ids = Object.keys(records);
    if (ids.length === 0) return [];
    const presences = await this.#do(this.#client.mget(ids.map((id) => keys.presence(Number(id)))));
    return ids
      .map((id, i) => knownNode(Number(id), records[id]!, { lastSeen: seen[id], presence: presences[i] }))
      .sort((a, b) => a.id - b.id);
  }

  /** Removes a node and closes its connection in any process. Throws NodeError if it does not exist. */
  async remove(codeOrId: string): Promise<NodeRegistration> {
    const { id, record } = await this.#find(codeOrId);
    const { codes, registered, tokens, seen } = this.#keys;
    const keys = [codes, registered, tokens, seen];
    const removed = await this.#run(REMOVE_NODE_SCRIPT, keys, [id, record.code, record.hash]);
    if (removed === 0) throw new NodeError(`node ${record.code} was changed at the same time; try again`);
    await this.publish({ kind: 'revoked', node: id });
    return registrationOf(id, record);
  }

  /** Replaces a node's token and closes its connection. Throws NodeError if the node does not exist. */
  async rotate(codeOrId: string): Promise<{ token: string; node: NodeRegistration }> {
    const { id, record } = await this.#find(codeOrId);
    const { registered, tokens } = this.#keys;
    const token = newNodeToken();
    const hash = hashOfToken(token);
    const args = [id, record.hash, hash, JSON.stringify({ ...record, hash })];
    const rotated = await this.#run(ROTATE_TOKEN_SCRIPT, [registered, tokens], args);
    if (rotated === 0) throw new NodeError(`node ${record.code} was changed at the same time; try again`);
    await this.publish({ kind: 'revoked', node: id });
    return { token, node: registrationOf(id, record) };
  }

  /** Admits the owner of a token as the node's newest connection. Undefined for a wrong token. */
  async admit(token: string): Promise<Admitted | undefined> {
    if (!isNodeToken(token)) return undefined;
    // A new process may not be connected to Redis yet.
    await this.redis.ready(PATIENCE_MS);
    const hash = hashOfToken(token);
    const id = await this.#do(this.#client.hget(this.#keys.tokens, hash));
    const json = id === null ? null : await this.#do(this.#client.hget(this.#keys.registered, id));
    if (id === null || json === null) return undefined;
    const connection = await this.#do(this.#client.incr(this.#keys.lastConnection));
    await this.publish({ kind: 'connected', node: Number(id), connection });
    return { node: registrationOf(Number(id), parseNodeRecord(json)), hash, connection };
  }

  /** Marks a node as online for `ttlMs`. */
  async hold({ node, hash }: Admitted, presence: Presence, ttlMs: number): Promise<Held> {
    const keys = [this.#keys.presence(node.id), this.#keys.tokens];
    const args = [presence.connection, JSON.stringify(presence), ttlMs, hash];
    const held = await this.#run(HOLD_NODE_SCRIPT, keys, args);
    if (held === 1) return 'held';
    return held === 0 ? 'replaced' : 'revoked';
  }

  /** Marks a node as offline, if this is its current connection. */
  async leave({ node, connection }: Admitted): Promise<void> {
    const left = await this.#run(LEAVE_NODE_SCRIPT, [this.#keys.presence(node.id)], [connection]);
    if (left === 1) await this.publish({ kind: 'presence' });
  }

  /** Stores when a node was last seen. */
  async seen(id: number, at: Date): Promise<void> {
    await this.#do(this.#client.hset(this.#keys.seen, String(id), at.toISOString()));
  }

  /** Publishes a change to all processes. */
  async publish(change: NodeChange): Promise<void> {
    await this.redis.publish(CHANGES_CHANNEL, JSON.stringify(change));
  }

  get #client(): RedisClient {
    return this.redis.client;
  }

  async #find(codeOrId: string): Promise<Found> {
    const byCode = await this.#do(this.#client.hget(this.#keys.codes, codeOrId));
    const json = await this.#do(this.#client.hget(this.#keys.registered, byCode ?? codeOrId));
    if (json === null) throw new NodeError(`node ${codeOrId} does not exist`);
    return { id: Number(byCode ?? codeOrId), record: parseNodeRecord(json) };
  }

  async #run(lua: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return await this.#do(this.#client.eval(lua, keys.length, ...keys, ...args));
  }

  #do<T>(command: Promise<T>): Promise<T> {
    return this.redis.watched(command);
  }
}

/** Opens the store alone, for commands, and adopts imported nodes. Undefined if Redis does not answer in time. */
export async function openNodeStore(
  address: RedisAddress,
  patienceMs: number,
): Promise<{ store: NodeStore; close: () => void } | undefined> {
  const redis = openConnection(address);
  const close = (): void => {
    redis.close();
  };
  if (!(await redis.ready(patienceMs))) {
    close();
    return undefined;
  }
  await adoptNodes(redis);
  return { store: new NodeStore(redis), close };
}

function knownNode(
  id: number,
  json: string,
  now: { readonly lastSeen: string | undefined; readonly presence: string | null | undefined },
): KnownNode {
  const record = parseNodeRecord(json);
  return {
    ...registrationOf(id, record),
    created: record.created,
    lastSeen: now.lastSeen,
    presence: typeof now.presence === 'string' ? parsePresence(now.presence) : undefined,
  };
}

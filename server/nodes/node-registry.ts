import type { MeteringRedis } from '../metering/metering-redis.js';
import {
  CHANGES_CHANNEL,
  CODES_KEY,
  LAST_CONNECTION_KEY,
  LAST_NODE_KEY,
  NODES_KEY,
  parseNodeRecord,
  parsePresence,
  presenceKey,
  registrationOf,
  SEEN_KEY,
  TOKENS_KEY,
  type NodeChange,
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

/** What is asked of the registry cannot be done; the message says why, for who runs the command. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
}

/** A registered node, and what is known of it now. */
export interface KnownNode extends NodeRegistration {
  readonly created: string;
  /** ISO 8601; absent when it never was online. */
  readonly lastSeen: string | undefined;
  /** Absent while it is offline. */
  readonly presence: Presence | undefined;
}

/** A connection that has shown the token of a node. */
export interface Admitted {
  readonly node: NodeRegistration;
  /** Of its token. */
  readonly hash: string;
  readonly connection: number;
}

/** What became of saying that a node is online. */
export type Held = 'held' | 'replaced' | 'revoked';

/** How long a node that connects waits for Redis. */
const PATIENCE_MS = 1000;

interface Found {
  readonly id: number;
  readonly record: NodeRecord;
}

/** Nodes in Redis: who they are and where they are connected. Everything rejects with what Redis, or its absence, says. */
export class NodeRegistry {
  constructor(private readonly redis: MeteringRedis) {}

  /** Throws NodeError where the code is taken. */
  async add(asked: Omit<NodeRegistration, 'id'>): Promise<{ token: string; node: NodeRegistration }> {
    const id = await this.#do(this.#client.incr(LAST_NODE_KEY));
    const token = newNodeToken();
    const record = { ...asked, hash: hashOfToken(token), created: new Date().toISOString() };
    const keys = [CODES_KEY, NODES_KEY, TOKENS_KEY];
    const added = await this.#run(ADD_NODE_SCRIPT, keys, [
      ...[id, record.code, record.hash],
      JSON.stringify(record),
    ]);
    if (added === 0) throw new NodeError(`there is a node ${asked.code} already`);
    return { token, node: registrationOf(id, record) };
  }

  /** By id. */
  async list(): Promise<readonly KnownNode[]> {
    const [records, seen] = await this.#do(
      Promise.all([this.#client.hgetall(NODES_KEY), this.#client.hgetall(SEEN_KEY)]),
    );
    const ids = Object.keys(records);
    if (ids.length === 0) return [];
    const presences = await this.#do(this.#client.mget(ids.map((id) => presenceKey(Number(id)))));
    return ids
      .map((id, i) => knownNode(Number(id), records[id]!, { lastSeen: seen[id], presence: presences[i] }))
      .sort((a, b) => a.id - b.id);
  }

  /** Its connection is closed wherever it is. Throws NodeError where there is none. */
  async remove(codeOrId: string): Promise<NodeRegistration> {
    const { id, record } = await this.#find(codeOrId);
    const keys = [CODES_KEY, NODES_KEY, TOKENS_KEY, SEEN_KEY];
    const removed = await this.#run(REMOVE_NODE_SCRIPT, keys, [id, record.code, record.hash]);
    if (removed === 0) throw new NodeError(`${record.code} has just been changed by somebody else`);
    await this.tell({ kind: 'revoked', node: id });
    return registrationOf(id, record);
  }

  /** A new token in place of the old one, whose connection is closed. Throws NodeError. */
  async rotate(codeOrId: string): Promise<{ token: string; node: NodeRegistration }> {
    const { id, record } = await this.#find(codeOrId);
    const token = newNodeToken();
    const hash = hashOfToken(token);
    const args = [id, record.hash, hash, JSON.stringify({ ...record, hash })];
    const rotated = await this.#run(ROTATE_TOKEN_SCRIPT, [NODES_KEY, TOKENS_KEY], args);
    if (rotated === 0) throw new NodeError(`${record.code} has just been changed by somebody else`);
    await this.tell({ kind: 'revoked', node: id });
    return { token, node: registrationOf(id, record) };
  }

  /** Whose token it is; nobody's: undefined. The connection is newer than all before. */
  async admit(token: string): Promise<Admitted | undefined> {
    if (!isNodeToken(token)) return undefined;
    // A process that has just begun is not connected yet.
    await this.redis.ready(PATIENCE_MS);
    const hash = hashOfToken(token);
    const id = await this.#do(this.#client.hget(TOKENS_KEY, hash));
    const json = id === null ? null : await this.#do(this.#client.hget(NODES_KEY, id));
    if (id === null || json === null) return undefined;
    const connection = await this.#do(this.#client.incr(LAST_CONNECTION_KEY));
    await this.tell({ kind: 'connected', node: Number(id), connection });
    return { node: registrationOf(Number(id), parseNodeRecord(json)), hash, connection };
  }

  /** Says that a node is online for the next `ttlMs`. */
  async hold({ node, hash }: Admitted, presence: Presence, ttlMs: number): Promise<Held> {
    const keys = [presenceKey(node.id), TOKENS_KEY];
    const args = [presence.connection, JSON.stringify(presence), ttlMs, hash];
    const held = await this.#run(HOLD_NODE_SCRIPT, keys, args);
    if (held === 1) return 'held';
    return held === 0 ? 'replaced' : 'revoked';
  }

  /** Says that it is not, over this connection, any more. */
  async leave({ node, connection }: Admitted): Promise<void> {
    const left = await this.#run(LEAVE_NODE_SCRIPT, [presenceKey(node.id)], [connection]);
    if (left === 1) await this.tell({ kind: 'presence' });
  }

  /** Writes down when a node was heard. */
  async seen(id: number, at: Date): Promise<void> {
    await this.#do(this.#client.hset(SEEN_KEY, String(id), at.toISOString()));
  }

  /** Tells all processes. */
  async tell(change: NodeChange): Promise<void> {
    await this.#do(this.#client.publish(CHANGES_CHANNEL, JSON.stringify(change)));
  }

  get #client(): MeteringRedis['client'] {
    return this.redis.client;
  }

  async #find(codeOrId: string): Promise<Found> {
    const byCode = await this.#do(this.#client.hget(CODES_KEY, codeOrId));
    const json = await this.#do(this.#client.hget(NODES_KEY, byCode ?? codeOrId));
    if (json === null) throw new NodeError(`there is no node ${codeOrId}`);
    return { id: Number(byCode ?? codeOrId), record: parseNodeRecord(json) };
  }

  async #run(lua: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return await this.#do(this.#client.eval(lua, keys.length, ...keys, ...args));
  }

  #do<T>(command: Promise<T>): Promise<T> {
    return this.redis.watched(command);
  }
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

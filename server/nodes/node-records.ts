import { z } from 'zod';
import type { NodeRegistration } from './probe-node.js';

/** Number of the last node. */
export const LAST_NODE_KEY = 'ipatlas:nodes:last';
/** Hash of NodeRecords as JSON, by id. */
export const NODES_KEY = 'ipatlas:nodes:registered';
/** Hash of ids by code. */
export const CODES_KEY = 'ipatlas:nodes:codes';
/** Hash of ids by hash of the token. */
export const TOKENS_KEY = 'ipatlas:nodes:tokens';
/** Hash of the last stored heartbeats, ISO 8601, by id. */
export const SEEN_KEY = 'ipatlas:nodes:seen';
/** Number of the last connection. Of two connections of a node, the one with the higher number is newer. */
export const LAST_CONNECTION_KEY = 'ipatlas:nodes:connections';
/** Channel on which NodeChanges are published to all processes. */
export const CHANGES_CHANNEL = 'ipatlas:nodes:changes';

/** Returns the key of a node's Presence as JSON. It exists while the node is online. */
export function presenceKey(id: number): string {
  return `ipatlas:nodes:online:${id}`;
}

/** Returns the channel for messages to one process. */
export function processChannel(process: string): string {
  return `ipatlas:nodes:process:${process}`;
}

const NODE_RECORD = z.object({
  name: z.string(),
  name_en: z.string(),
  code: z.string(),
  isp: z.string(),
  region: z.string(),
  country: z.string(),
  country_code: z.string(),
  province: z.string(),
  city: z.string(),
  /** Hash of the token. */
  hash: z.string(),
  created: z.string(),
});
/** A registered node without its id. */
export type NodeRecord = z.infer<typeof NODE_RECORD>;

/** Parses a record. Throws ZodError if it is damaged. */
export function parseNodeRecord(json: string): NodeRecord {
  return NODE_RECORD.parse(JSON.parse(json));
}

/** Returns the public part of a record. */
export function registrationOf(id: number, record: NodeRecord): NodeRegistration {
  const { name, name_en, code, isp, region, country, country_code, province, city } = record;
  return { id, name, name_en, code, isp, region, country, country_code, province, city };
}

const PRESENCE = z.object({
  connection: z.number().int(),
  /** Id of the server process with the connection. */
  process: z.string(),
  ipv6: z.boolean(),
  version: z.string(),
});
/** Where a ready node is connected, and what its agent reported. */
export type Presence = z.infer<typeof PRESENCE>;

/** Parses a presence. Throws ZodError if it is damaged. */
export function parsePresence(json: string): Presence {
  return PRESENCE.parse(JSON.parse(json));
}

const NODE_CHANGE = z.discriminatedUnion('kind', [
  /** A node has connected. Its older connections are obsolete. */
  z.object({ kind: z.literal('connected'), node: z.number().int(), connection: z.number().int() }),
  /** The node's token is revoked. */
  z.object({ kind: z.literal('revoked'), node: z.number().int() }),
  /** A node went online or offline. */
  z.object({ kind: z.literal('presence') }),
]);
/** A change that is published to all processes. */
export type NodeChange = z.infer<typeof NODE_CHANGE>;

/** Parses a change. Throws SyntaxError or ZodError if it is invalid. */
export function parseNodeChange(json: string): NodeChange {
  return NODE_CHANGE.parse(JSON.parse(json));
}

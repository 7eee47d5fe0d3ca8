import { z } from 'zod';
import type { NodeRegistration } from './probe-node.js';

/** Number of the last node. */
export const LAST_NODE_KEY = 'ipatlas:nodes:last';
/** Hash of NodeRecords, as JSON, by id. */
export const NODES_KEY = 'ipatlas:nodes:registered';
/** Hash of ids by code. */
export const CODES_KEY = 'ipatlas:nodes:codes';
/** Hash of ids by hash of the token. */
export const TOKENS_KEY = 'ipatlas:nodes:tokens';
/** Hash of the last heartbeat that was written down, ISO 8601, by id. */
export const SEEN_KEY = 'ipatlas:nodes:seen';
/** Number of the last connection: of two of one node the one with the higher number is the newer. */
export const LAST_CONNECTION_KEY = 'ipatlas:nodes:connections';
/** Where NodeChanges are told to all processes. */
export const CHANGES_CHANNEL = 'ipatlas:nodes:changes';

/** A Presence as JSON, while the node is online. */
export function presenceKey(id: number): string {
  return `ipatlas:nodes:online:${id}`;
}

/** Where a process is asked to ask its nodes, and told what others' nodes have answered. */
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
  /** Of its token. */
  hash: z.string(),
  created: z.string(),
});
/** A registered node without its id. */
export type NodeRecord = z.infer<typeof NODE_RECORD>;

/** Throws ZodError for a record that is damaged. */
export function parseNodeRecord(json: string): NodeRecord {
  return NODE_RECORD.parse(JSON.parse(json));
}

/** What the world may see of a record. */
export function registrationOf(id: number, record: NodeRecord): NodeRegistration {
  const { name, name_en, code, isp, region, country, country_code, province, city } = record;
  return { id, name, name_en, code, isp, region, country, country_code, province, city };
}

const PRESENCE = z.object({
  connection: z.number().int(),
  /** Which server process holds the socket. */
  process: z.string(),
  ipv6: z.boolean(),
  version: z.string(),
});
/** Where a node that is ready can be reached, and what it has told of itself. */
export type Presence = z.infer<typeof PRESENCE>;

/** Throws ZodError for one that is damaged. */
export function parsePresence(json: string): Presence {
  return PRESENCE.parse(JSON.parse(json));
}

const NODE_CHANGE = z.discriminatedUnion('kind', [
  /** A node has connected: older connections of it are over. */
  z.object({ kind: z.literal('connected'), node: z.number().int(), connection: z.number().int() }),
  /** Its token is worth nothing any more. */
  z.object({ kind: z.literal('revoked'), node: z.number().int() }),
  /** A node went online or offline. */
  z.object({ kind: z.literal('presence') }),
]);
export type NodeChange = z.infer<typeof NODE_CHANGE>;

/** Throws for what no server of ours has said. */
export function parseNodeChange(json: string): NodeChange {
  return NODE_CHANGE.parse(JSON.parse(json));
}

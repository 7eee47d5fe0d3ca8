import { z } from 'zod';
import type { NodeRegistration } from './probe-node.js';

/** Channel on which NodeChanges are published to all processes. */
export const CHANGES_CHANNEL = 'ipatlas:nodes:changes';

/** The keys of the node registry. */
export interface NodeKeys {
  /** Number of the last node. */
  readonly lastNode: string;
  /** Hash of NodeRecords as JSON, by id. */
  readonly registered: string;
  /** Hash of ids by code. */
  readonly codes: string;
  /** Hash of ids by hash of the token. */
  readonly tokens: string;
  /** Hash of the last stored heartbeats, ISO 8601, by id. */
  readonly seen: string;
  /** Number of the last connection. Of two connections of a node, the one with the higher number is newer. */
  readonly lastConnection: string;
  /** Returns the key of a node's Presence as JSON. It exists while the node is online. */
  presence(id: number): string;
}

/** Returns the keys of the node registry. In a cluster they have one hash tag, because scripts change several. */
export function nodeKeys(isCluster: boolean): NodeKeys {
  const prefix = isCluster ? 'ipatlas:{nodes}:' : 'ipatlas:nodes:';
  return {
    lastNode: `${prefix}last`,
    registered: `${prefix}registered`,
    codes: `${prefix}codes`,
    tokens: `${prefix}tokens`,
    seen: `${prefix}seen`,
    lastConnection: `${prefix}connections`,
    presence: (id) => `${prefix}online:${id}`,
  };
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

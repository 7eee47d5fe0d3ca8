import { z } from 'zod';
import { parseJson } from '../../pipeline/text/parse-json.js';

/** Version of this protocol. Increased for changes that older peers cannot handle. */
export const PROTOCOL = 1;
/** Version of the agent in this project. Sent when it connects. */
export const AGENT_VERSION = '1.0.0';
/** Minimum version of agents. Older ones are disconnected. */
export const MIN_AGENT_VERSION = '1.0.0';
/** Path of the endpoint agents connect to. */
export const CONNECT_PATH = '/api/nodes/connect';
/** A longer message ends the connection (status 1009, RFC 6455 §7.4.1). */
export const MAX_MESSAGE_BYTES = 16 * 1024;
/** Sequential attempts per job (decision 34). */
export const ATTEMPTS = 4;
/** Time limit per attempt. */
export const ATTEMPT_MS = 3000;

/** Status codes of closed connections (RFC 6455 §7.4). Codes from 4000 are our own. */
export const CLOSE = {
  goingAway: 1001,
  policy: 1008,
  restart: 1012,
  /** A newer connection with the same token replaced it. */
  replaced: 4001,
  /** The token is revoked. */
  revoked: 4003,
  /** The agent is too old. */
  outdated: 4004,
} as const;

const id = z.string().min(1).max(64);
const count = z.number().int().nonnegative();
const roundTrip = z.number().nonnegative().nullable();

const AGENT_MESSAGE = z.discriminatedUnion('type', [
  /** The first message. It says nothing about the location of the node. */
  z.object({
    type: z.literal('hello'),
    protocol: z.number().int(),
    version: z.string().regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/),
    capabilities: z.object({ ipv6: z.boolean() }),
  }),
  /** The self-test has passed. */
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('pong'), count }),
  /** Acknowledges a job. */
  z.object({ type: z.literal('ack'), id }),
  z.object({
    type: z.literal('result'),
    id,
    ip: z.string().max(64),
    rtts: z.array(roundTrip).length(ATTEMPTS),
  }),
  /** Rejects a job. */
  z.object({
    type: z.literal('refused'),
    id,
    reason: z.enum(['not-public', 'not-found', 'unresolved', 'malformed', 'busy', 'duplicate', 'leaving']),
  }),
  /** The node leaves or failed its self-test, and accepts no more jobs. */
  z.object({ type: z.literal('goodbye'), reason: z.string().max(200) }),
]);
/** A message from the agent to the server. */
export type AgentMessage = z.infer<typeof AGENT_MESSAGE>;

const SERVER_MESSAGE = z.discriminatedUnion('type', [
  /** Answers the hello. `now` is in ms since 1970. A ping follows every `heartbeatMs`. */
  z.object({
    type: z.literal('welcome'),
    code: z.string(),
    now: z.number(),
    heartbeatMs: z.number().positive(),
  }),
  z.object({ type: z.literal('ping'), count }),
  /** `leftMs` is how long the server waits for the result. */
  z.object({
    type: z.literal('job'),
    id,
    host: z.string().min(1).max(253),
    port: z.number().int().min(1).max(65_535),
    leftMs: z.number().positive(),
  }),
]);
/** A message from the server to the agent. */
export type ServerMessage = z.infer<typeof SERVER_MESSAGE>;

/** Parses a message of an agent. Undefined if it is invalid. */
export function parseAgentMessage(text: string): AgentMessage | undefined {
  return AGENT_MESSAGE.safeParse(parseJson(text)).data;
}

/** Parses a message of a server. Undefined if it is invalid. */
export function parseServerMessage(text: string): ServerMessage | undefined {
  return SERVER_MESSAGE.safeParse(parseJson(text)).data;
}

/** Returns whether a version such as `1.10.0` is at least another such as `1.9.0`. */
export function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const differs = a.findIndex((part, i) => part !== b[i]);
  return differs === -1 || a[differs]! > b[differs]!;
}

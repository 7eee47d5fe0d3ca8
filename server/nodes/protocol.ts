import { z } from 'zod';

/** Version of this protocol: raised when an older side could not follow. */
export const PROTOCOL = 1;
/** Of the agent in this project; told when it connects. */
export const AGENT_VERSION = '1.0.0';
/** Older agents are sent away. */
export const LEAST_AGENT_VERSION = '1.0.0';
/** Where agents connect to. */
export const CONNECT_PATH = '/api/nodes/connect';
/** A longer message ends the connection (RFC 6455 §7.4.1: 1009). */
export const MAX_MESSAGE_BYTES = 16 * 1024;
/** Each job is so many attempts, one after the other (ruling 34). */
export const ATTEMPTS = 4;
export const ATTEMPT_MS = 3000;

/** Why a connection was closed (RFC 6455 §7.4; from 4000 on our own). */
export const CLOSE = {
  goingAway: 1001,
  policy: 1008,
  restart: 1012,
  /** The same token has connected anew. */
  replaced: 4001,
  /** The token is worth nothing any more. */
  revoked: 4003,
  /** The agent is too old. */
  outdated: 4004,
} as const;

const id = z.string().min(1).max(64);
const count = z.number().int().nonnegative();
const roundTrip = z.number().nonnegative().max(60_000).nullable();

const AGENT_MESSAGE = z.discriminatedUnion('type', [
  /** The first one. It says nothing of where the node is. */
  z.object({
    type: z.literal('hello'),
    protocol: z.number().int(),
    version: z.string().regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/),
    capabilities: z.object({ ipv6: z.boolean() }),
  }),
  /** The self-test has passed. */
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('pong'), count }),
  /** A job has come and will be done. */
  z.object({ type: z.literal('ack'), id }),
  z.object({
    type: z.literal('result'),
    id,
    ip: z.string().max(64),
    rtts: z.array(roundTrip).length(ATTEMPTS),
  }),
  /** A job will not be done. */
  z.object({
    type: z.literal('refused'),
    id,
    reason: z.enum(['not-public', 'not-found', 'unresolved', 'malformed', 'busy', 'duplicate', 'leaving']),
  }),
  /** It leaves, or its self-test has failed: no more jobs. */
  z.object({ type: z.literal('goodbye'), reason: z.string().max(200) }),
]);
/** From the agent to the server. */
export type AgentMessage = z.infer<typeof AGENT_MESSAGE>;

const SERVER_MESSAGE = z.discriminatedUnion('type', [
  /** To the hello: the self-test may begin. `now` is in ms since 1970; a ping comes each `heartbeatMs`. */
  z.object({
    type: z.literal('welcome'),
    code: z.string(),
    now: z.number(),
    heartbeatMs: z.number().positive(),
  }),
  z.object({ type: z.literal('ping'), count }),
  /** `leftMs`: how long the result is waited for from now on. */
  z.object({
    type: z.literal('job'),
    id,
    host: z.string().min(1).max(253),
    port: z.number().int().min(1).max(65_535),
    leftMs: z.number().positive(),
  }),
]);
/** From the server to the agent. */
export type ServerMessage = z.infer<typeof SERVER_MESSAGE>;

/** What an agent has said; absent for everything else. */
export function parseAgentMessage(text: string): AgentMessage | undefined {
  return AGENT_MESSAGE.safeParse(jsonOf(text)).data;
}

/** What a server has said; absent for everything else. */
export function parseServerMessage(text: string): ServerMessage | undefined {
  return SERVER_MESSAGE.safeParse(jsonOf(text)).data;
}

/** Whether `1.10.0` is not older than `1.9.0`. */
export function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const differs = a.findIndex((part, i) => part !== b[i]);
  return differs === -1 || a[differs]! > b[differs]!;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

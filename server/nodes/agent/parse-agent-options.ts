import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isNodeToken } from '../node-token.js';
import { NodeError } from '../node-registry.js';
import type { SelfTest } from './self-test.js';

/** What the command line says. */
export interface AgentFlags {
  /** With commas between. */
  readonly server?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly jobs?: string;
  readonly selfTest?: string;
  readonly plain?: boolean;
}

/** Where an agent connects to, as whom, and how much it takes on. */
export interface AgentOptions {
  readonly servers: readonly [URL, ...URL[]];
  readonly token: string;
  readonly jobs: number;
  readonly selfTest?: SelfTest | undefined;
}

const JOBS = 20;

/** Options of the command line; PROBE_SERVER and PROBE_TOKEN stand for those that are left out. Throws NodeError. */
export function parseAgentOptions(
  flags: AgentFlags,
  read: (name: string) => string | undefined,
): AgentOptions {
  const { jobs = String(JOBS), selfTest, plain = false } = flags;
  if (!/^[1-9]\d{0,2}$/.test(jobs)) throw new NodeError(`"${jobs}" is no number of jobs, 1 to 999`);
  return {
    servers: parseServers(flags.server ?? read('PROBE_SERVER'), plain),
    token: parseToken(flags, read),
    jobs: Number(jobs),
    ...(selfTest === undefined ? {} : { selfTest: parseSelfTest(selfTest) }),
  };
}

function parseServers(list: string | undefined, plain: boolean): [URL, ...URL[]] {
  const [first, ...rest] = (list ?? '')
    .split(',')
    .filter((text) => text.trim() !== '')
    .map((text) => parseServer(text.trim(), plain));
  if (first === undefined) throw new NodeError('no server: give --server wss://… or set PROBE_SERVER');
  return [first, ...rest];
}

/** `wss:`; `ws:`, over which everybody on the way reads the token, to this machine or when it is asked for. */
function parseServer(text: string, plain: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'wss:') return url;
  if (url?.protocol !== 'ws:') throw new NodeError(`"${text}" is no server: it begins with wss://`);
  if (!plain && !isLoopback(url.hostname))
    throw new NodeError(`${text} would show the token to all on the way: use wss:, or --plain`);
  return url;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === '[::1]' || hostname === 'localhost' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}

/** A token among the arguments can be seen by every user of the machine. */
function parseToken({ token, tokenFile }: AgentFlags, read: (name: string) => string | undefined): string {
  const text = (token ?? (tokenFile === undefined ? read('PROBE_TOKEN') : readToken(tokenFile)))?.trim();
  if (text === undefined || text === '')
    throw new NodeError('no token: set PROBE_TOKEN, or give --token-file');
  if (!isNodeToken(text)) throw new NodeError('the token is none: "ipatlas node add" makes one');
  return text;
}

function readToken(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new NodeError(`the token cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** `host:port`, IPv6 in brackets. */
function parseSelfTest(text: string): SelfTest {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new NodeError(`"${text}" is no host:port`);
  return { host, port: Number(port) };
}

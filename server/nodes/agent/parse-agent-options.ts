import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isNodeToken } from '../node-token.js';
import { NodeError } from '../node-store.js';
import type { SelfTest } from './self-test.js';

/** Options of the command line. */
export interface AgentFlags {
  /** Comma-separated. */
  readonly server?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly jobs?: string;
  readonly selfTest?: string;
  readonly plain?: boolean;
}

/** Servers, token and limits of an agent. */
export interface AgentOptions {
  readonly servers: readonly [URL, ...URL[]];
  readonly token: string;
  readonly jobs: number;
  readonly selfTest?: SelfTest | undefined;
}

const JOBS = 20;

/** Parses the options. PROBE_SERVER and PROBE_TOKEN replace missing ones. Throws NodeError. */
export function parseAgentOptions(
  flags: AgentFlags,
  read: (name: string) => string | undefined,
): AgentOptions {
  const { jobs = String(JOBS), selfTest, plain = false } = flags;
  if (!/^[1-9]\d{0,2}$/.test(jobs)) throw new NodeError(`invalid --jobs "${jobs}": expected 1-999`);
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
  if (first === undefined) throw new NodeError('missing server: use --server wss://… or set PROBE_SERVER');
  return [first, ...rest];
}

/** Parses a URL. Plain `ws:` would expose the token, so it requires a loopback host or `--plain`. */
function parseServer(text: string, plain: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'wss:') return url;
  if (url?.protocol !== 'ws:') throw new NodeError(`invalid server "${text}": expected wss://host`);
  if (!plain && !isLoopback(url.hostname))
    throw new NodeError(`${text} would send the token unencrypted: use wss:, or allow it with --plain`);
  return url;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === '[::1]' || hostname === 'localhost' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}

/** Reads the token. Prefer file or environment: arguments are visible to every user of the machine. */
function parseToken({ token, tokenFile }: AgentFlags, read: (name: string) => string | undefined): string {
  const text = (token ?? (tokenFile === undefined ? read('PROBE_TOKEN') : readToken(tokenFile)))?.trim();
  if (text === undefined || text === '')
    throw new NodeError('missing token: set PROBE_TOKEN or use --token-file');
  if (!isNodeToken(text)) throw new NodeError('invalid token: expected one from "ipatlas node add"');
  return text;
}

function readToken(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new NodeError(`cannot read the token: ${(error as Error).message}`, { cause: error });
  }
}

/** Parses `host:port`, with an IPv6 address in brackets. */
function parseSelfTest(text: string): SelfTest {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new NodeError(`invalid --self-test "${text}": expected host:port`);
  return { host, port: Number(port) };
}

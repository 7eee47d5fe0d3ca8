import type { Writable } from 'node:stream';
import type { DestinationStream } from 'pino';
import { z } from 'zod';
import { printableLine, printableLines } from '../../pipeline/text/printable.js';

/** Returns a stream that converts pino's JSON lines to plain lines for a terminal. */
export function peopleStream(out: Pick<Writable, 'write'>): DestinationStream {
  return { write: (line) => out.write(`${peopleLine(line)}\n`) };
}

/** Converts a line: `20:06:54 listening on …`, or `20:06:54 200 GET /api/ip/1.1.1.1 0.4 ms 192.0.2.1` for an answer. */
export function peopleLine(json: string): string {
  const { level, time, msg, err, ...answer } = lineSchema.parse(JSON.parse(json));
  const { method, path, status, code, ms, client, account, tool } = answer;
  const words = [new Date(time).toTimeString().slice(0, 8)];
  if (level >= WARNING) words.push(level >= ERROR ? 'error:' : 'warning:');
  if (method !== undefined) {
    words.push(code === 0 || code === status ? `${status}` : `${status} (code ${code})`);
    words.push(method, path ?? '', `${ms} ms`, client ?? '');
    if (account !== undefined) words.push(`account ${account}`);
    if (tool !== undefined) words.push(`tool ${tool}`);
  }
  if (msg !== undefined) words.push(msg);
  if (err === undefined) return printableLine(words.join(' '));
  const [reason, ...frames] = (level >= ERROR ? (err.stack ?? err.message) : err.message).split('\n');
  // A message with line feeds is in the stack: no line of it may look like a line of the log.
  return printableLines([[...words, reason].join(' '), ...frames.map((frame) => `    ${frame.trim()}`)]);
}

/** Levels of pino. */
const WARNING = 40;
const ERROR = 50;

const lineSchema = z.object({
  level: z.number(),
  /** Milliseconds since 1970. */
  time: z.number(),
  msg: z.string().exactOptional(),
  err: z.object({ message: z.string(), stack: z.string().exactOptional() }).exactOptional(),
  method: z.string().exactOptional(),
  path: z.string().exactOptional(),
  status: z.number().exactOptional(),
  code: z.number().exactOptional(),
  ms: z.number().exactOptional(),
  client: z.string().exactOptional(),
  account: z.number().exactOptional(),
  tool: z.string().exactOptional(),
});

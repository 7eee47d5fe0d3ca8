import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import type { Lifetime } from './lifetime.js';

/**
 * What a proxy does to a request: `gone` ends the connection without an answer, `503` answers so, `slow` answers after a
 * delay, `truncated` ends the connection in the middle of the answer's body, and `wrong` changes a byte of it.
 */
export const PROXY_FAULTS = ['gone', '503', 'slow', 'truncated', 'wrong'] as const;
export type ProxyFault = (typeof PROXY_FAULTS)[number];

/** An HTTP proxy in front of one server. */
export interface FaultProxy {
  readonly port: number;
  /** The present fault; undefined passes everything on. */
  fault: ProxyFault | undefined;
  /** The requests that have the fault; all by default. */
  hits: (method: string, path: string) => boolean;
  /** Called after each request that was passed on or refused, with its path. */
  onRequest: (method: string, path: string) => void;
  /** Number of requests that had a fault. */
  readonly faults: number;
}

/** Starts a proxy on a free port that passes requests on to a port of the loopback. */
export async function newFaultProxyForTest(
  t: Lifetime,
  targetPort: number,
  host = '127.0.0.1',
): Promise<FaultProxy> {
  const server = createServer((incoming, answer) => {
    const { method = '', url: path = '' } = incoming;
    const fault = proxy.fault !== undefined && proxy.hits(method, path) ? proxy.fault : undefined;
    if (fault !== undefined) proxy.faults++;
    proxy.onRequest(method, path);
    if (fault === 'gone') incoming.socket.destroy();
    else if (fault === '503') answer.writeHead(503).end();
    else if (fault === 'slow')
      setTimeout(() => {
        passOn(incoming, answer, targetPort);
      }, DELAY_MS);
    else passOn(incoming, answer, targetPort, fault);
  });
  const proxy: { -readonly [Key in keyof FaultProxy]: FaultProxy[Key] } = {
    ...{ port: 0, faults: 0, fault: undefined },
    hits: () => true,
    onRequest: () => undefined,
  };
  server.listen(0, host);
  await once(server, 'listening');
  proxy.port = (server.address() as AddressInfo).port;
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return proxy;
}

/** Sends a request to the target and its answer back, with a fault in the body if one is given. */
function passOn(
  incoming: IncomingMessage,
  answer: ServerResponse,
  ...[port, fault]: readonly [port: number, fault?: 'truncated' | 'wrong']
): void {
  const { method, url: path, headers } = incoming;
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers }, (found) => {
    answer.writeHead(found.statusCode ?? 502, found.headers);
    const { 'content-length': length } = found.headers;
    const half = length === undefined ? UNKNOWN_HALF_BYTES : Number(length) >> 1;
    if (fault === 'truncated' && half > 0) found.pipe(cutAfter(half, answer)).pipe(answer);
    else if (fault === 'wrong') found.pipe(withOtherByte()).pipe(answer);
    else found.pipe(answer);
  });
  outgoing.on('error', () => answer.destroy());
  incoming.on('error', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

/** Where an answer without a length is cut. */
const UNKNOWN_HALF_BYTES = 100;

function cutAfter(lengthBytes: number, answer: ServerResponse): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const part = chunk.subarray(0, Math.max(0, lengthBytes - passed));
      passed += chunk.length;
      if (passed >= lengthBytes) answer.write(part, () => answer.destroy());
      else this.push(part);
      done();
    },
  });
}

/** Changes the first byte. */
function withOtherByte(): Transform {
  let isFirst = true;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = Buffer.from(chunk);
      if (isFirst && bytes.length > 0) bytes[0]! ^= 1;
      isFirst = false;
      done(undefined, bytes);
    },
  });
}

const DELAY_MS = 300;

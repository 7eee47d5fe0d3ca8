import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { freePort } from '../../../pipeline/testing/free-port.js';
import type { Lifetime } from '../../../pipeline/testing/lifetime.js';

/** Handles a query over UDP. May send any number of replies. */
export type OnQuery = (query: Buffer, send: (bytes: Buffer) => void, from: RemoteInfo) => void;

/** Handles a query over TCP. `query` excludes the length prefix. */
export type OnStream = (query: Buffer, socket: Socket) => void;

/** Starts a scripted name server on one loopback port for UDP and TCP. Closed when the test ends. */
export async function scriptedServer(t: Lifetime, onQuery: OnQuery, onStream?: OnStream): Promise<string> {
  const port = await freePort();
  const streams = createServer((socket) => {
    t.teardown(() => socket.destroy());
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => onStream?.(bytes.subarray(2), socket));
  }).listen(port, '127.0.0.1');
  await once(streams, 'listening');
  if (onStream === undefined) streams.close();
  else t.teardown(() => streams.close());
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    onQuery(
      query,
      (bytes) => {
        socket.send(bytes, from.port, from.address);
      },
      from,
    );
  });
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return `127.0.0.1:${port}`;
}

/** Builds the response to a query: one A record, or none with other flags (RFC 1035 §4.1.1). */
export function answerTo(query: Buffer, { ip = '192.0.2.1', flags = 0x8180 } = {}): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(flags, 2);
  const isAnswer = flags === 0x8180;
  header.writeUInt16BE(isAnswer ? 1 : 0, 6);
  header.writeUInt16BE(0, 10);
  const row = Buffer.from('c00c00010001000000040004', 'hex');
  const rows = isAnswer ? [row, Buffer.from(ip.split('.').map(Number))] : [];
  return Buffer.concat([header, query.subarray(12, end), ...rows]);
}

/** Adds the length prefix (RFC 1035 §4.2.2). */
export function framed(message: Buffer): Buffer {
  return Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message]);
}

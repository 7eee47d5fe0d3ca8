import assert from 'node:assert';
import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type SecureContext, type TLSSocket } from 'node:tls';
import { leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';

/** Where a socket goes. */
export interface SocketTarget {
  /** A literal: nothing is resolved here, and node calls no lookup hook for it. */
  readonly address: string;
  readonly port: number;
  /** Absent for plain text. */
  readonly tls?: {
    readonly context: SecureContext;
    /** What the certificate must be for; a name goes into SNI (RFC 6066 §3). */
    readonly host: string;
  };
}

/** When to stop trying. */
export interface Patience {
  readonly deadline: Deadline;
  /** Of who closes down. */
  readonly signal: AbortSignal;
}

/** Connects, and shakes hands where TLS is asked for. Throws UpstreamError. */
export async function openSocket(target: SocketTarget, { deadline, signal }: Patience): Promise<Socket> {
  const { address, port, tls } = target;
  assert(isIP(address) !== 0, address);
  const socket = tls ? openTls(target, tls) : connectTcp({ host: address, port, autoSelectFamily: false });
  socket.setNoDelay(true);
  const where = tls ? `${tls.host} at ${address}` : address;
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => socket.destroy();
  signal.addEventListener('abort', giveUp);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(tls ? 'secureConnect' : 'connect', resolve);
      // Stays for good: who takes the socket over learns of its end by `close`.
      socket.on('error', reject);
      socket.once('close', () => {
        reject(new Error('closed'));
      });
      timer = setTimeout(() => {
        reject(new UpstreamError('timeout', `${where} port ${port} was not connected in time`));
      }, leftOf(deadline));
    });
    return socket;
  } catch (error) {
    socket.destroy();
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError('unreachable', `${where} port ${port}: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

function openTls({ address, port }: SocketTarget, tls: NonNullable<SocketTarget['tls']>): TLSSocket {
  const options: TcpNetConnectOpts & ConnectionOptions = {
    host: address,
    port,
    autoSelectFamily: false,
    secureContext: tls.context,
    // Of an address the certificate is checked too, but it may not stand in SNI.
    ...(isIP(tls.host) === 0 ? { servername: tls.host } : {}),
    ALPNProtocols: ['h2', 'http/1.1'],
  };
  return connectTls(options);
}

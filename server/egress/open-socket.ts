import assert from 'node:assert';
import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type SecureContext, type TLSSocket } from 'node:tls';
import { leftOf, type Deadline } from '../deadline.js';
import { UpstreamError } from '../upstream-error.js';

/** Where to connect. */
export interface SocketTarget {
  /** An IP address, so that Node resolves nothing. */
  readonly address: string;
  readonly port: number;
  /** Absent for plain text. */
  readonly tls?: {
    readonly context: SecureContext;
    /** The host in the certificate. A name is also sent as SNI (RFC 6066 §3). */
    readonly host: string;
  };
}

/** When to give up. */
export interface ConnectLimits {
  readonly deadline: Deadline;
  /** Aborts when the client closes. */
  readonly signal: AbortSignal;
}

/** Opens a TCP connection, with TLS if requested. Throws UpstreamError. */
export async function openSocket(target: SocketTarget, { deadline, signal }: ConnectLimits): Promise<Socket> {
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
      // Remains registered: the new owner of the socket watches `close` instead.
      socket.on('error', reject);
      socket.once('close', () => {
        reject(new Error('closed'));
      });
      timer = setTimeout(() => {
        reject(new UpstreamError('timeout', `${where} port ${port}: connection not established in time`));
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
    // The certificate is checked for an address too, but SNI must not contain one.
    ...(isIP(tls.host) === 0 ? { servername: tls.host } : {}),
    ALPNProtocols: ['h2', 'http/1.1'],
  };
  return connectTls(options);
}

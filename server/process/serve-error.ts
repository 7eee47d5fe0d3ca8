import type { ServerConfig } from '../config.js';

/** The server could not start. The message is one line. */
export class ServeError extends Error {
  override readonly name = 'ServeError';

  /** Converts a system error about a port to a ServeError. Returns any other error unchanged. */
  static of(error: unknown, { port, metricsPort }: Pick<ServerConfig, 'port' | 'metricsPort'>): unknown {
    if (!(error instanceof Error) || !('code' in error)) return error;
    const taken = 'port' in error ? Number(error.port) : undefined;
    const variable = taken === metricsPort && taken !== port ? 'METRICS_PORT' : 'PORT';
    const host = 'address' in error ? error.address : 'hostname' in error ? error.hostname : 'the host';
    switch (error.code) {
      case 'EADDRINUSE':
        return new ServeError(
          `port ${taken ?? port} is in use: stop the process that listens on it, or set ${variable}`,
          { cause: error },
        );
      case 'EACCES':
        return new ServeError(`no permission to listen on port ${taken ?? port}: set ${variable}`, {
          cause: error,
        });
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        return new ServeError(`${String(host)} is not an address of this machine: set HOST or METRICS_HOST`, {
          cause: error,
        });
      default:
        return error;
    }
  }
}

/** The build was told to stop by a signal. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor(readonly signal: 'SIGINT' | 'SIGTERM') {
    super(`stopped by ${signal}`);
  }

  /** 128 + the signal's number, as shells have it. */
  get exitCode(): number {
    return EXIT_CODES[this.signal];
  }
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** SIGINT and SIGTERM of this process as an AbortSignal. */
export interface Interruption {
  /** Aborted with an InterruptedError. */
  readonly signal: AbortSignal;
  /** Gives the signals back to their default. */
  dispose(): void;
}

/** Turns the first signal into an abort; the second ends the process there and then. */
export function listenForSignals(): Interruption {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    const error = new InterruptedError(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
    if (controller.signal.aborted) process.exit(error.exitCode);
    controller.abort(error);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const dispose = (): void => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
  return { signal: controller.signal, dispose };
}

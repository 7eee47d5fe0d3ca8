/** Signals that end a build in order; SIGHUP is what a closed terminal sends. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof STOP_SIGNALS)[number];

/** The build was told to stop by a signal. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor(readonly signal: StopSignal) {
    super(`stopped by ${signal}`);
  }

  /** 128 + the signal's number, as shells have it. */
  get exitCode(): number {
    return EXIT_CODES[this.signal];
  }
}

const EXIT_CODES: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** The signals that end this process as an AbortSignal. */
export interface Interruption {
  /** Aborted with an InterruptedError. */
  readonly signal: AbortSignal;
  /** Gives the signals back to their default. */
  dispose(): void;
}

/** Turns the first signal into an abort; the second ends the process there and then. */
export function listenForSignals(): Interruption {
  const controller = new AbortController();
  const stops = STOP_SIGNALS.map((signal) => {
    const stop = (): void => {
      const error = new InterruptedError(signal);
      if (controller.signal.aborted) process.exit(error.exitCode);
      controller.abort(error);
    };
    process.on(signal, stop);
    return { signal, stop };
  });
  const dispose = (): void => {
    for (const { signal, stop } of stops) process.off(signal, stop);
  };
  return { signal: controller.signal, dispose };
}

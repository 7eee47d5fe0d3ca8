/** Signals that end a build cleanly. A closed terminal sends SIGHUP. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof STOP_SIGNALS)[number];

/** A signal has stopped the build. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor(readonly signal: StopSignal) {
    super(`stopped by ${signal}`);
  }

  /** 128 + the signal's number, as in shells. */
  get exitCode(): number {
    return EXIT_CODES[this.signal];
  }
}

const EXIT_CODES: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** An AbortSignal for the signals that end this process. */
export interface Interruption {
  /** Aborted with an InterruptedError. */
  readonly signal: AbortSignal;
  /** Restores the default handling of the signals. */
  dispose(): void;
}

/** Aborts on the first signal. The second signal exits the process at once. */
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

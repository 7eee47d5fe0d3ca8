const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 } as const;

/** Stop signals of this process. */
export interface Stops {
  /** Resolves with the name of the first signal. */
  readonly first: Promise<string>;
  /** Whether there was a signal. */
  readonly isStopped: boolean;
  /** Restores the default handling. */
  dispose(): void;
}

/** Listens for stop signals. The second one exits at once, with 128 + the signal's number. */
export function listenForStops(): Stops {
  let resolveFirst: ((signal: string) => void) | undefined;
  const first = new Promise<string>((resolve) => (resolveFirst = resolve));
  const onStop = (signal: (typeof STOP_SIGNALS)[number]): void => {
    if (resolveFirst === undefined) process.exit(EXIT_CODES[signal]);
    resolveFirst(signal);
    resolveFirst = undefined;
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onStop);
  return {
    first,
    get isStopped() {
      return resolveFirst === undefined;
    },
    dispose: () => {
      for (const signal of STOP_SIGNALS) process.off(signal, onStop);
    },
  };
}

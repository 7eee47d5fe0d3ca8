const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 } as const;

/** Signals that ask this process to end. */
export interface Stops {
  /** Resolves with the first one's name. */
  readonly first: Promise<string>;
  /** Gives the signals back to their default. */
  dispose(): void;
}

/** Listens for them; the second one ends the process there and then, 128 + the signal's number. */
export function listenForStops(): Stops {
  let tell: ((signal: string) => void) | undefined;
  const first = new Promise<string>((resolve) => (tell = resolve));
  const onStop = (signal: (typeof STOP_SIGNALS)[number]): void => {
    if (tell === undefined) process.exit(EXIT_CODES[signal]);
    tell(signal);
    tell = undefined;
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onStop);
  return {
    first,
    dispose: () => {
      for (const signal of STOP_SIGNALS) process.off(signal, onStop);
    },
  };
}

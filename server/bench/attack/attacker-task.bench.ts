/** What an attacker does on each of its connections, until its time ends. */
export interface Attack {
  readonly url: string;
  /** The source address of all connections, or a number of addresses to use in turn. */
  readonly source: string | number;
  /** The /16 of these addresses, `127.<net>.0.0`: 66 by default. */
  readonly net?: number;
  readonly connections: number;
  /** Latin-1 text that is sent when a connection opens, or texts to send in turn. */
  readonly opening?: string | readonly string[];
  /** Number of copies of `opening`. */
  readonly copies?: number;
  /** Sends one copy after each answer, instead of all copies at once. */
  readonly waits?: boolean;
  /** Text that is sent repeatedly. */
  readonly drip?: { readonly text: string; readonly everyMs: number };
  /** Whether received bytes are read. */
  readonly reads?: boolean;
  /** Opens a new connection when one ends. */
  readonly returns?: boolean;
  /** Ends after this time. Without `returns` it ends as soon as all connections have ended or all copies are answered. */
  readonly limitMs: number;
}

/** What an attacker saw. */
export interface Spoils {
  readonly opened: number;
  /** Connections that could not be opened. */
  readonly failed: number;
  /** Connections that the server ended. */
  readonly ended: number;
  readonly answers: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly seconds: number;
}

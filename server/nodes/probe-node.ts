/** A probe node as its operator registered it (`api.md`, "Probe node"); it claims nothing of this itself. */
export interface NodeRegistration {
  readonly id: number;
  /** In Chinese and in English. */
  readonly name: string;
  readonly name_en: string;
  /** Unique; what callers name it by: `^[a-z0-9-]{1,64}$`. */
  readonly code: string;
  /** Code of the operator. */
  readonly isp: string;
  readonly region: string;
  readonly country: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country_code: string;
  readonly province: string;
  readonly city: string;
}

/** A node that is connected and has passed its self-test. */
export interface OnlineNode extends NodeRegistration {
  readonly ipv6: 0 | 1;
  readonly agent_version: string;
  readonly status: 1;
  /** ISO 8601 in UTC. */
  readonly last_seen: string;
}

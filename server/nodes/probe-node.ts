/** A probe node as its operator registered it. The node itself reports none of these fields. */
export interface NodeRegistration {
  readonly id: number;
  /** Name in Chinese. */
  readonly name: string;
  readonly name_en: string;
  /** Unique identifier for callers: `^[a-z0-9-]{1,64}$`. */
  readonly code: string;
  /** Network operator of the node. */
  readonly isp: string;
  readonly region: string;
  readonly country: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country_code: string;
  readonly province: string;
  readonly city: string;
}

/** A connected node that has passed its self-test. */
export interface OnlineNode extends NodeRegistration {
  readonly ipv6: 0 | 1;
  readonly agent_version: string;
  readonly status: 1;
  /** ISO 8601 in UTC. */
  readonly last_seen: string;
}

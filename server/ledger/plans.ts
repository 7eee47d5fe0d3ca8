/** The limits of a plan. */
export interface Plan {
  readonly id: PlanId;
  /** Display name. */
  readonly name: string;
  readonly requestsPerMinute: number;
  /** Absent: unlimited. */
  readonly requestsPerDay?: number;
  /** Targets per batch. */
  readonly batchLimit: number;
  /** Credits per calendar month. */
  readonly creditsPerMonth: number;
  readonly mayDownload: boolean;
}

/** Ids of the plans, smallest first. */
export const PLAN_IDS = ['free', 'pro', 'enterprise'] as const;
/** Id of a plan. */
export type PlanId = (typeof PLAN_IDS)[number];

/** All plans. */
export const PLANS: Readonly<Record<PlanId, Plan>> = {
  free: {
    id: 'free',
    name: 'Free',
    requestsPerMinute: 120,
    requestsPerDay: 10_000,
    batchLimit: 10,
    creditsPerMonth: 1000,
    mayDownload: false,
  },
  pro: {
    id: 'pro',
    name: 'Pro',
    requestsPerMinute: 600,
    requestsPerDay: 100_000,
    batchLimit: 100,
    creditsPerMonth: 50_000,
    mayDownload: false,
  },
  enterprise: {
    id: 'enterprise',
    name: 'Enterprise',
    requestsPerMinute: 3000,
    batchLimit: 500,
    creditsPerMonth: 500_000,
    mayDownload: true,
  },
};

/** The limits of callers without a key, per source address. */
export const ANONYMOUS = { requestsPerMinute: 30, requestsPerDay: 1000, batchLimit: 5 } as const;

/**
 * The networks around an IPv6 source, narrowest first, and how many times its limits each has in all (decision 68). The
 * scripts rely on there being two.
 */
export const WIDER = [
  { lengthBits: 56, times: 4 },
  { lengthBits: 48, times: 16 },
] as const;

/** Requests per minute and source address, for endpoints that take no key (decision 2). */
export const KEYLESS_PER_MINUTE = {
  'own-ip': 60,
  bgp: 60,
  'global-dns': 120,
  public: 60,
  /** Pages for people. */
  pages: 60,
  /** Requests of the Model Context Protocol; the calls of its tools count as calls of the API. */
  mcp: 120,
} as const;
/** A limit shared by several endpoints that take no key. */
export type KeylessBucket = keyof typeof KEYLESS_PER_MINUTE;

/** What a plan grants. Plans are data: `api.md`, "Plans". */
export interface Plan {
  readonly id: PlanId;
  /** Display name. */
  readonly name: string;
  readonly requestsPerMinute: number;
  /** Absent: unlimited. */
  readonly requestsPerDay?: number;
  /** Items in a batch. */
  readonly batchLimit: number;
  /** Credits per calendar month. */
  readonly creditsPerMonth: number;
  readonly mayDownload: boolean;
}

export const PLAN_IDS = ['free', 'pro', 'enterprise'] as const;
export type PlanId = (typeof PLAN_IDS)[number];

export const PLANS: Readonly<Record<PlanId, Plan>> = {
  free: {
    ...{ id: 'free', name: 'Free', requestsPerMinute: 120, requestsPerDay: 10_000 },
    ...{ batchLimit: 10, creditsPerMonth: 1000, mayDownload: false },
  },
  pro: {
    ...{ id: 'pro', name: 'Pro', requestsPerMinute: 600, requestsPerDay: 100_000 },
    ...{ batchLimit: 100, creditsPerMonth: 50_000, mayDownload: false },
  },
  enterprise: {
    ...{ id: 'enterprise', name: 'Enterprise', requestsPerMinute: 3000 },
    ...{ batchLimit: 500, creditsPerMonth: 500_000, mayDownload: true },
  },
};

/** Callers without a key, by source address. */
export const ANONYMOUS = { requestsPerMinute: 30, requestsPerDay: 1000, batchLimit: 5 } as const;

/** Requests per minute and source address of what takes no key (ruling 2). */
export const KEYLESS_PER_MINUTE = { 'own-ip': 60, bgp: 60, 'global-dns': 120, public: 60 } as const;
export type KeylessBucket = keyof typeof KEYLESS_PER_MINUTE;

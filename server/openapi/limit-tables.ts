import { ANONYMOUS, KEYLESS_PER_MINUTE, PLANS, type KeylessBucket } from '../ledger/plans.js';
import { table } from './markdown-table.js';

/** Returns the table of the plans and their limits. */
export function plansTable(): string {
  const anonymous = [
    'without a key',
    ANONYMOUS.requestsPerMinute,
    ANONYMOUS.requestsPerDay,
    ANONYMOUS.batchLimit,
    '-',
    'no',
  ];
  const plans = Object.values(PLANS).map((plan) => [
    plan.name,
    plan.requestsPerMinute,
    plan.requestsPerDay ?? 'unlimited',
    plan.batchLimit,
    plan.creditsPerMonth,
    plan.mayDownload ? 'yes' : 'no',
  ]);
  const rows = [anonymous, ...plans].map((row) => row.map(String));
  return table(
    ['plan', 'requests a minute', 'requests a day', 'batch size', 'credits a month', 'downloads'],
    rows,
  );
}

/** Returns the table of the limits for endpoints without keys. */
export function bucketsTable(): string {
  const rows = Object.entries(KEYLESS_PER_MINUTE).map(([bucket, limit]) => [`\`${bucket}\``, String(limit)]);
  return `Endpoints without keys, per source address:\n\n${table(['bucket', 'requests a minute'], rows)}`;
}

/** Returns the limit of a bucket as text. */
export function bucketName(bucket: string): string {
  const limit = KEYLESS_PER_MINUTE[bucket as KeylessBucket] as number | undefined;
  return limit === undefined ? 'of the plan' : `${limit} a minute (\`${bucket}\`)`;
}

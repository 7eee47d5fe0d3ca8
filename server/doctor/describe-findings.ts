import { printableLines } from '../../pipeline/text/printable.js';
import type { Finding } from './check.js';

/** Formats the report: findings by group and a summary. Many failures with the same reason share one line. */
export function describeFindings(findings: readonly Finding[]): string {
  const groups = [...new Set(findings.map(({ group }) => group))];
  const parts = groups.map((heading) => {
    const found = findings.filter(({ group }) => group === heading);
    return printableLines([heading, ...describeGroup(found)]);
  });
  return [...parts, summaryOf(findings)].join('\n\n');
}

/** Number of equal failures from which they share a line. */
const MANY = 6;
/** How many names such a line lists. */
const NAMED = 3;
/** Limit of characters. Certificate errors contain long lists of names. */
const MAX_DETAIL = 160;

function describeGroup(findings: readonly Finding[]): string[] {
  const alike = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.state} ${reasonOf(finding)}`;
    alike.set(key, [...(alike.get(key) ?? []), finding]);
  }
  return [...alike.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    return first.state === 'broken' && same.length >= MANY
      ? [describeMany(first, same)]
      : same.map(describeOne);
  });
}

function describeOne({ name, state, detail, ms }: Finding): string {
  const text = state === 'warning' ? detail : shortened(detail);
  return `  ${LABELS[state]}  ${name}: ${text} (${ms} ms)`;
}

const LABELS = { ok: 'ok    ', warning: 'WARN  ', broken: 'BROKEN' } as const;

function describeMany(first: Finding, same: readonly Finding[]): string {
  const named = same.slice(0, NAMED).map(({ name }) => name);
  return `  BROKEN  ${same.length} servers: ${shortened(reasonOf(first))} (${named.join(', ')}, …)`;
}

/** Returns the detail without a leading name. */
function reasonOf({ name, detail }: Finding): string {
  return detail.startsWith(`${name} `) ? detail.slice(name.length + 1) : detail;
}

function shortened(text: string): string {
  return text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL - 1)}…` : text;
}

function summaryOf(findings: readonly Finding[]): string {
  const broken = findings.filter(({ state }) => state === 'broken').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  if (broken === 0)
    return `All ${findings.length} checks passed${warnings === 0 ? '' : `, ${warnings} of them with a warning`}.`;
  const isOffline = broken + warnings === findings.length;
  return `${broken} of ${findings.length} checks failed.${isOffline ? ' Is this machine online?' : ''}`;
}

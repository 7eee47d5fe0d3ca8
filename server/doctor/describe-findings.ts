import type { Finding } from './check.js';

/** The report: findings under their headings and a summary. */
export function describeFindings(findings: readonly Finding[]): string {
  const groups = [...new Set(findings.map(({ group }) => group))];
  const parts = groups.map((heading) => {
    const found = findings.filter(({ group }) => group === heading);
    return [heading, ...found.map(describeFinding)].join('\n');
  });
  return [...parts, summaryOf(findings)].join('\n\n');
}

function describeFinding({ name, state, detail, ms }: Finding): string {
  return `  ${state === 'ok' ? 'ok    ' : 'BROKEN'}  ${name}: ${detail} (${ms} ms)`;
}

function summaryOf(findings: readonly Finding[]): string {
  const broken = findings.filter(({ state }) => state === 'broken').length;
  if (broken === 0) return `All ${findings.length} checks are well.`;
  const isOffline = broken === findings.length;
  return `${broken} of ${findings.length} checks found something broken.${isOffline ? ' Is this machine online?' : ''}`;
}

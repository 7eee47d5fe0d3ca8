import { execFileSync } from 'node:child_process';

/** One measurement. The names of its figures contain their unit: `seconds`, `peakMb`, `rowsPerSecond`. */
export interface BenchRow {
  readonly subject: string;
  readonly figures: Readonly<Record<string, number | null>>;
}

/** A target of the design, with the value measured in the same run. */
export interface BenchBar {
  readonly what: string;
  /** The target as text, such as `at least 10 x`. */
  readonly bar: string;
  readonly measured: string;
  readonly isMet: boolean;
}

/** The result of one benchmark. */
export interface BenchReport {
  readonly bench: string;
  /** The measured work and its input. */
  readonly notes: readonly string[];
  readonly rows: readonly BenchRow[];
  readonly bars: readonly BenchBar[];
}

/** Runs a part of a benchmark in its own process, to measure its peak memory separately. Returns the JSON it prints. */
export function runPart(file: string, args: readonly (string | number)[]): unknown {
  const argv = [...process.execArgv, file, ...args.map(String)];
  const printed = execFileSync(process.execPath, argv, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 26,
  });
  return JSON.parse(printed) as unknown;
}

/** Prints the result of a part for the process that started it. */
export function printJson(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Returns the peak memory of this process so far, in MB of 10^6 bytes. */
export function peakMb(): number {
  return (process.resourceUsage().maxRSS * 1024) / 1e6;
}

/** Calls `run` and returns its result and its duration. */
export function timed<T>(run: () => T): { readonly result: T; readonly seconds: number } {
  const start = performance.now();
  const result = run();
  return { result, seconds: (performance.now() - start) / 1000 };
}

/** Formats a report as text: a table of the figures, then the bars. */
export function formatReport({ bench, notes, rows, bars }: BenchReport): string {
  const names = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  const table = [
    ['', ...names],
    ...rows.map(({ subject, figures }) => [subject, ...names.map((name) => formatFigure(figures[name]))]),
  ];
  const barLines = bars.map(
    ({ what, bar, measured, isMet }) =>
      `  ${what}: ${measured}, required ${bar}: ${isMet ? 'met' : 'MISSED'}`,
  );
  return [bench, ...notes.map((note) => `  ${note}`), ...formatTable(table), ...barLines].join('\n');
}

function formatTable(table: readonly (readonly string[])[]): string[] {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((cells) => cells[column]!.length)));
  return table.map((cells) => {
    const padded = cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)));
    return `  ${padded.join('  ')}`;
  });
}

/** A figure that could not be measured is absent, or null after its way through JSON (NaN, Infinity). */
function formatFigure(value: number | null | undefined): string {
  if (value === undefined) return '';
  if (value === null || !Number.isFinite(value)) return '-';
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 });
}

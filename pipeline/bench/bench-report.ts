import { execFileSync } from 'node:child_process';

/** One thing that was measured. The names of figures carry their unit, such as `seconds`, `peakMb`, `rowsPerSecond`. */
export interface BenchRow {
  readonly subject: string;
  readonly figures: Readonly<Record<string, number>>;
}

/** What a design promises, beside what was measured in the same run. */
export interface BenchBar {
  readonly what: string;
  /** The promise in words, such as `at least 10 x`. */
  readonly bar: string;
  readonly measured: string;
  readonly isMet: boolean;
}

/** What one benchmark has to say. */
export interface BenchReport {
  readonly bench: string;
  /** What is counted, on what input. */
  readonly notes: readonly string[];
  readonly rows: readonly BenchRow[];
  readonly bars: readonly BenchBar[];
}

/** Runs a part of a benchmark in a process of its own, so that its peak memory is its own; the JSON it prints. */
export function runPart(file: string, args: readonly (string | number)[]): unknown {
  const argv = [...process.execArgv, file, ...args.map(String)];
  const printed = execFileSync(process.execPath, argv, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 26,
  });
  return JSON.parse(printed) as unknown;
}

/** Hands a part's result to whoever started it. */
export function printJson(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** The most memory this process has held so far, in MB of 10^6 bytes. */
export function peakMb(): number {
  return (process.resourceUsage().maxRSS * 1024) / 1e6;
}

/** What `run` gave, and the seconds it took. */
export function timed<T>(run: () => T): { readonly result: T; readonly seconds: number } {
  const start = performance.now();
  const result = run();
  return { result, seconds: (performance.now() - start) / 1000 };
}

/** The report as lines of text: a table of the figures, then the bars. */
export function formatReport({ bench, notes, rows, bars }: BenchReport): string {
  const names = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  const table = [
    ['', ...names],
    ...rows.map(({ subject, figures }) => [subject, ...names.map((name) => formatFigure(figures[name]))]),
  ];
  const verdicts = bars.map(
    ({ what, bar, measured, isMet }) =>
      `  ${what}: ${measured}, the bar is ${bar}: ${isMet ? 'met' : 'MISSED'}`,
  );
  return [bench, ...notes.map((note) => `  ${note}`), ...formatTable(table), ...verdicts].join('\n');
}

function formatTable(table: readonly (readonly string[])[]): string[] {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((cells) => cells[column]!.length)));
  return table.map((cells) => {
    const padded = cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)));
    return `  ${padded.join('  ')}`;
  });
}

function formatFigure(value: number | undefined): string {
  if (value === undefined) return '';
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 });
}

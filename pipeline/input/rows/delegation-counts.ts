import type { OpenFile } from '../published-source.js';
import { FeedError } from '../feed-error.js';

/**
 * Checks that the statistics of a registry are complete. In the files of all five registries, the number of records in
 * the version line is the sum of the summary lines, each summary counts the records of its type (including reserved and
 * available ones), and the last record is complete. IANA's own file differs and is not read here.
 */
export class DelegationCounts {
  /** The registry in the version line: `apnic`, `ripencc`, …. */
  readonly registry: string;
  readonly #file: OpenFile;
  readonly #promised: number;
  readonly #summaries = new Map<string, number>();
  readonly #found = new Map<string, number>();
  #lastIsWhole = true;

  /**
   * Reads the version line `version|registry|serial|records|startdate|enddate|UTCoffset`. Throws FeedError
   * `header`.
   */
  constructor(file: OpenFile, versionLine: readonly string[]) {
    const [version, registry, , records] = versionLine;
    if (versionLine.length !== 7 || !/^2(\.\d)?$/.test(version!) || !REGISTRIES.has(registry!)) {
      throw new FeedError('header', file.id, `expected a version line, found ${quoted(versionLine)}`);
    }
    this.registry = registry!;
    this.#file = file;
    this.#promised = countIn(file, records, versionLine);
  }

  /** Reads a summary line `registry|*|type|*|count|summary`. Throws FeedError `header`. */
  expect(summaryLine: readonly string[]): void {
    this.#summaries.set(summaryLine[2]!, countIn(this.#file, summaryLine[4], summaryLine));
  }

  /** Counts a record, also a rejected one. `whole` is false when the record ends before its status. */
  found(type: string | undefined, whole: boolean): void {
    const key = type ?? '';
    this.#found.set(key, (this.#found.get(key) ?? 0) + 1);
    this.#lastIsWhole = whole;
  }

  /** Throws FeedError `truncated` when there are too few or too many records, or the last one is incomplete. */
  check(): void {
    for (const type of new Set([...this.#summaries.keys(), ...this.#found.keys()])) {
      this.#compare(`${type} records`, this.#summaries.get(type) ?? 0, this.#found.get(type) ?? 0);
    }
    this.#compare('records', this.#promised, sum(this.#summaries));
    if (!this.#lastIsWhole) throw new FeedError('truncated', this.#file.id, 'the last record is incomplete');
  }

  #compare(what: string, promised: number, found: number): void {
    if (promised === found) return;
    throw new FeedError('truncated', this.#file.id, `${found} ${what}: expected ${promised}`);
  }
}

const REGISTRIES: ReadonlySet<string> = new Set(['afrinic', 'apnic', 'arin', 'lacnic', 'ripencc']);

function countIn(file: OpenFile, field: string | undefined, line: readonly string[]): number {
  if (field !== undefined && /^\d{1,9}$/.test(field)) return Number(field);
  throw new FeedError('header', file.id, `no record count in ${quoted(line)}`);
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}

function quoted(line: readonly string[]): string {
  return JSON.stringify(line.join('|').slice(0, 80));
}

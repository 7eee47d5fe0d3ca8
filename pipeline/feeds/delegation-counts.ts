import type { OpenFile } from './feed.js';
import { FeedError } from './feed-error.js';

/**
 * Whether a registry's statistics are complete. All five registries keep three promises: the records in the version
 * line are the sum of the summary lines, each summary counts the records of its type, reserved and available ones
 * included, and the last record is whole. (IANA's own file breaks the first two; it is not read here.)
 */
export class DelegationCounts {
  /** The registry that lists the records, as the version line names it: `apnic`, `ripencc`, …. */
  readonly registry: string;
  readonly #file: OpenFile;
  readonly #promised: number;
  readonly #summaries = new Map<string, number>();
  readonly #found = new Map<string, number>();
  #lastIsWhole = true;

  /** Takes the version line, `version|registry|serial|records|startdate|enddate|UTCoffset`, or throws `header`. */
  constructor(file: OpenFile, versionLine: readonly string[]) {
    const [version, registry, , records] = versionLine;
    if (versionLine.length !== 7 || !/^2(\.\d)?$/.test(version!) || !REGISTRIES.has(registry!)) {
      throw new FeedError('header', file.id, `a version line expected, found ${quoted(versionLine)}`);
    }
    this.registry = registry!;
    this.#file = file;
    this.#promised = countIn(file, records, versionLine);
  }

  /** Takes a summary line, `registry|*|type|*|count|summary`, or throws `header`. */
  expect(summaryLine: readonly string[]): void {
    this.#summaries.set(summaryLine[2]!, countIn(this.#file, summaryLine[4], summaryLine));
  }

  /** Counts a record, refused ones too. `whole` is false when it ends before its status. */
  found(type: string | undefined, whole: boolean): void {
    const key = type ?? '';
    this.#found.set(key, (this.#found.get(key) ?? 0) + 1);
    this.#lastIsWhole = whole;
  }

  /** Throws FeedError `truncated` when records are missing or too many, or the last one is cut. */
  check(): void {
    for (const type of new Set([...this.#summaries.keys(), ...this.#found.keys()])) {
      this.#compare(`${type} records`, this.#summaries.get(type) ?? 0, this.#found.get(type) ?? 0);
    }
    this.#compare('records', this.#promised, sum(this.#summaries));
    if (!this.#lastIsWhole) throw new FeedError('truncated', this.#file.id, 'the last record is cut short');
  }

  #compare(what: string, promised: number, found: number): void {
    if (promised === found) return;
    throw new FeedError('truncated', this.#file.id, `${found} of ${promised} ${what} are there`);
  }
}

const REGISTRIES: ReadonlySet<string> = new Set(['afrinic', 'apnic', 'arin', 'lacnic', 'ripencc']);

function countIn(file: OpenFile, field: string | undefined, line: readonly string[]): number {
  if (field !== undefined && /^\d{1,9}$/.test(field)) return Number(field);
  throw new FeedError('header', file.id, `no count of records in ${quoted(line)}`);
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}

function quoted(line: readonly string[]): string {
  return JSON.stringify(line.join('|').slice(0, 80));
}

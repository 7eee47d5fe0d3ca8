import type { OpenFile } from '../../input/published-source.js';
import { FeedError } from '../../input/feed-error.js';
import { headerDay } from '../header-day.js';
import type { ListSink } from '../list.js';
import type { ListClaim } from '../list-claim.js';
import { readRawLines } from '../raw-lines.js';
import { ADDRESS_BITS } from '../../net/address.js';
import { PrefixBuffer } from '../../net/prefix.js';
import { LAYER } from './open-proxy-layers.js';

/**
 * Reads a list of Avastel: comments with the day and the number of rows, a header, then
 * `ip_address;autonomous_system[;confidence]`. A single address is a proxy in a home, a range is one in a data centre.
 * The name may be empty and may contain `;`, from HTML entities. Throws FeedError `header` for other columns, and
 * `truncated` when there are fewer rows than the comments state.
 */
export async function readAvastel(file: OpenFile, sink: ListSink): Promise<void> {
  const rows = new AvastelRows(file, sink);
  await readRawLines(file, rows.sink, (text, line) => {
    if (text.startsWith('#')) rows.readComment(text);
    else if (rows.hasHeader) rows.readRow(text, line);
    else rows.readHeader(text, line);
  });
  rows.finish();
}

const HEADERS: readonly string[] = [
  'ip_address;autonomous_system',
  'ip_address;autonomous_system;confidence',
];
const COUNT = /^#\s*Number of proxy IP[^:]*:\s*(\d+)/i;

class AvastelRows {
  readonly #file: OpenFile;
  readonly #sink: ListSink;
  readonly #prefix = new PrefixBuffer();
  #day: number | undefined;
  /** The number of rows in the comments. */
  #statedRows = 0;
  #rows = 0;
  #hasConfidence: boolean | undefined;
  #singleId = 0;
  #rangeId = 0;

  constructor(file: OpenFile, sink: ListSink) {
    this.#file = file;
    this.#sink = sink;
  }

  /** Receives lines that are not UTF-8. */
  get sink(): Pick<ListSink, 'reject'> {
    return {
      reject: (reason, line, excerpt) => {
        this.#rows++;
        this.#sink.reject(reason, line, excerpt);
      },
    };
  }

  get hasHeader(): boolean {
    return this.#hasConfidence !== undefined;
  }

  readComment(text: string): void {
    this.#day ??= headerDay(text);
    const [, count] = COUNT.exec(text) ?? [];
    if (count !== undefined) this.#statedRows = Number(count);
  }

  readHeader(text: string, line: number): void {
    if (!HEADERS.includes(text)) {
      const found = `line ${line} is ${JSON.stringify(text.slice(0, 60))}: expected ${HEADERS[1]}`;
      throw new FeedError('header', this.#file.id, found);
    }
    this.#hasConfidence = text === HEADERS[1];
    const dated: ListClaim = {
      evidence: 'confirmed',
      ...(this.#day !== undefined && { lastSeen: this.#day }),
    };
    this.#singleId = this.#sink.intern({ type: 'RES', ...dated });
    this.#rangeId = this.#sink.intern({ type: 'PUB', ...dated });
  }

  readRow(text: string, line: number): void {
    this.#rows++;
    const first = text.indexOf(';');
    const last = text.lastIndexOf(';');
    const isWhole = this.#hasConfidence === true ? last > first && isShare(text.slice(last + 1)) : first >= 0;
    if (!isWhole) this.#sink.reject('columns', line, text);
    else if (!this.#prefix.parse(text.slice(0, first))) this.#sink.reject('address', line, text);
    else if (this.#prefix.length === ADDRESS_BITS) this.#insert(LAYER.seen, this.#singleId, line);
    else this.#insert(LAYER.seenRanges, this.#rangeId, line);
  }

  finish(): void {
    if (!this.hasHeader) throw new FeedError('truncated', this.#file.id, 'no header');
    if (this.#rows >= this.#statedRows) return;
    const found = `${this.#rows} rows: expected ${this.#statedRows} as in the comments`;
    throw new FeedError('truncated', this.#file.id, found);
  }

  #insert(layer: number, claimId: number, line: number): void {
    this.#sink.prefix(layer, this.#prefix, claimId, line);
  }
}

/** Whether a text is a number from 0 to 1. */
function isShare(text: string): boolean {
  return /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text);
}

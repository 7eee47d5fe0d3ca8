import type { OpenFile } from '../../input/published-source.js';
import { parseDay } from '../days.js';
import { readTextLines } from '../text-lines.js';
import type { ExitSink } from './tor-exits.js';

/**
 * Reads TorDNSEL's exit list (https://metrics.torproject.org/collector.html#type-tordnsel), stanzas of
 *
 *     ExitNode 0011BD2485AD45D984EC4159C88FC066E5E3300E
 *     Published 2019-03-27 10:15:24
 *     LastStatus 2019-03-27 11:02:34
 *     ExitAddress 162.247.74.201 2019-03-27 11:03:58
 *
 * with one or more addresses and the times (UTC) of their tests. A row is an address. A stanza without one of the lines
 * is rejected as one row at its first line, with its addresses.
 */
export async function readExitStanzas(file: OpenFile, sink: ExitSink): Promise<void> {
  const stanzas = new StanzaReader(sink);
  await readTextLines(file, sink, (text, line) => {
    stanzas.read(text, line);
  });
  stanzas.end();
}

/** The lines of a stanza in order. Only the last one repeats. */
const KINDS = ['ExitNode', 'Published', 'LastStatus', 'ExitAddress'] as const;
const ADDRESS_KIND = KINDS.indexOf('ExitAddress');

/** The head of archived lists: `@type tordnsel 1.0`, `Downloaded 2019-03-27 12:02:00`. */
const ANNOTATION = /^(?:@type|Downloaded)\s/;

interface Stanza {
  readonly line: number;
  readonly excerpt: string;
  readonly kinds: Set<number>;
  lastKind: number;
  readonly addresses: { readonly text: string; readonly line: number }[];
}

class StanzaReader {
  readonly #sink: ExitSink;
  #stanza: Stanza | undefined;

  constructor(sink: ExitSink) {
    this.#sink = sink;
  }

  read(text: string, line: number): void {
    if (ANNOTATION.test(text)) return;
    const kind = KINDS.findIndex((name) => text.startsWith(`${name} `));
    if (kind < 0) {
      this.#sink.reject('columns', line, text);
      return;
    }
    const stanza = this.#stanzaOf(kind, text, line);
    stanza.kinds.add(kind);
    stanza.lastKind = kind;
    if (kind === ADDRESS_KIND) stanza.addresses.push({ text, line });
  }

  /** Reads the last stanza. */
  end(): void {
    const stanza = this.#stanza;
    if (!stanza) return;
    this.#stanza = undefined;
    if (stanza.kinds.size < KINDS.length) this.#sink.reject('columns', stanza.line, stanza.excerpt);
    else for (const { text, line } of stanza.addresses) this.#readAddress(text, line);
  }

  /** Returns the stanza of a line: a new one when the line cannot follow the previous line. */
  #stanzaOf(kind: number, text: string, line: number): Stanza {
    const open = this.#stanza;
    if (open && (kind > open.lastKind || (kind === ADDRESS_KIND && open.lastKind === kind))) return open;
    this.end();
    return (this.#stanza = { line, excerpt: text, kinds: new Set(), lastKind: kind, addresses: [] });
  }

  #readAddress(text: string, line: number): void {
    const [, address, time] = /^ExitAddress (\S+) (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)$/.exec(text) ?? [];
    const day = time === undefined ? undefined : parseDay(time);
    if (address === undefined || day === undefined) this.#sink.reject('date', line, text);
    else this.#sink.exit(address, day, line);
  }
}

import { PrefixBuffer, type Prefix } from '../net/prefix.js';
import type { ListSink } from './list.js';

/** Puts rows that are prefixes in text into a sink; one buffer for all of them. */
export class PrefixTexts {
  readonly #prefix = new PrefixBuffer();

  constructor(
    readonly sink: ListSink,
    readonly layer = 0,
  ) {}

  /**
   * Inserts `address[/length]`, whatever invisible characters and spaces stand in it; rejects what is neither, with
   * this excerpt. Says whether it was a prefix.
   */
  add(
    text: string,
    claimId: number,
    { position, excerpt = text }: { readonly position: number; readonly excerpt?: string },
  ): boolean {
    if (!this.#prefix.parse(text) && !this.#prefix.parse(text.replace(INVISIBLE, ''))) {
      this.sink.reject('address', position, excerpt);
      return false;
    }
    this.sink.prefix(this.layer, this.#prefix, claimId, position);
    return true;
  }

  /** The prefix added last; another one after the next. */
  get last(): Prefix {
    return this.#prefix;
  }
}

/** White space, zero-width characters (U+200B to U+200D) and the byte order mark, which is one as well. */
const INVISIBLE = /[\s\u200b-\u200d\ufeff]/gu;

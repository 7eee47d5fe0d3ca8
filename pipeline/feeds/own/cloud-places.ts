import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { Claim } from '../../input/claims/claim.js';
import { isTooWide } from '../../input/claims/too-wide.js';
import { FeedError } from '../../input/feed-error.js';
import type { OpenFile } from '../../input/published-source.js';
import type { Note } from '../../input/tally.js';
import { IPV4_DEPTH } from '../../net/address.js';
import { formatPrefix, PrefixBuffer, type Prefix } from '../../net/prefix.js';
import { CLOUD } from './layers.js';
import { ANYCAST, NO_PLACE, type RegionPlaces } from './regions/region-place.js';

/** The place of a region: undefined if the region is unknown. */
type PlaceOfRegion = RegionPlaces[string] | undefined;

/** A network of a cloud. `claimId` is that of its row alone. */
interface Row {
  readonly prefix: string;
  readonly claimId: number;
  readonly position: number;
  readonly note?: Note;
}

/**
 * The claim of a network without a stated place. It hides the place of a covering network of the cloud, but no other
 * layer.
 */
const NOT_STATED: Claim = { basis: 'cloud' };

/** The claim of a network that is announced from many places. */
const STATED_ANYCAST: Claim = { basis: 'cloud', anycast: 'stated' };

/**
 * Collects the networks of one file of a cloud with the places of their regions, and inserts them. A network with rows
 * in different places has no place (note `conflict`). Networks of an unknown region have none either (note
 * `unresolved`), nor networks without a region (note `unknown`). A network with a row that says anycast is anycast, unless
 * it is too small to be announced by itself.
 */
export class CloudPlaces {
  readonly #file: OpenFile;
  readonly #sink: ClaimSink;
  readonly #prefix = new PrefixBuffer();
  readonly #rows: Row[] = [];
  /** By prefix. */
  readonly #claimIds = new Map<string, number>();
  readonly #notStated: number;
  readonly #anycast: number;

  constructor(file: OpenFile, sink: ClaimSink) {
    this.#file = file;
    this.#sink = sink;
    this.#notStated = sink.intern(NOT_STATED);
    this.#anycast = sink.intern(STATED_ANYCAST);
  }

  /** Adds `address[/length]`. Rejects other texts. Throws FeedError `too-wide` for a network wider than any operator's. */
  add(text: string, place: PlaceOfRegion, position: number): void {
    const prefix = this.#prefix;
    if (!prefix.parse(text)) {
      this.#sink.reject('address', position, text);
      return;
    }
    if (isTooWide(prefix)) {
      const expected = 'expected at least /8 in IPv4 and /16 in IPv6';
      throw new FeedError('too-wide', this.#file.id, `row ${position} has ${text}: ${expected}`);
    }
    const row = { prefix: formatPrefix(prefix.address, prefix.length, prefix.family), position };
    const claimId = this.#claimIdOf(place);
    const held = this.#claimIds.get(row.prefix) ?? claimId;
    this.#claimIds.set(row.prefix, this.#joined(held, claimId));
    const note = place === undefined ? 'unresolved' : 'unknown';
    this.#rows.push({ ...row, claimId, ...(claimId === this.#notStated && { note }) });
  }

  #claimIdOf(place: PlaceOfRegion): number {
    if (place === undefined || place === NO_PLACE) return this.#notStated;
    if (place === ANYCAST) return isAnnounced(this.#prefix) ? this.#anycast : this.#notStated;
    return this.#sink.intern({ ...place, basis: 'cloud', statedBy: this.#file.id });
  }

  /** Returns the claim of a network with two rows, in any order. */
  #joined(a: number, b: number): number {
    if (a === b) return a;
    return a === this.#anycast || b === this.#anycast ? this.#anycast : this.#notStated;
  }

  /** Inserts all networks. */
  insert(): void {
    for (const { prefix, claimId, position, note } of this.#rows) {
      const held = this.#claimIds.get(prefix)!;
      this.#prefix.parse(prefix);
      this.#sink.prefix(CLOUD, this.#prefix, held, position);
      if (note !== undefined) this.#sink.note(note);
      else if (held !== claimId) this.#sink.note('conflict');
    }
  }
}

/** Whether a prefix can be announced by itself: networks do not accept prefixes longer than /24, in IPv6 than /48. */
function isAnnounced({ length, family }: Prefix): boolean {
  return length <= (family === 4 ? IPV4_DEPTH + 24 : 48);
}

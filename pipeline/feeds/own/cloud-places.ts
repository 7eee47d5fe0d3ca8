import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { Claim } from '../../input/claims/claim.js';
import { isTooWide } from '../../input/claims/too-wide.js';
import { FeedError } from '../../input/feed-error.js';
import type { OpenFile } from '../../input/published-source.js';
import type { Note } from '../../input/tally.js';
import { formatPrefix, PrefixBuffer } from '../../net/prefix.js';
import { CLOUD } from './layers.js';
import { NO_PLACE, type RegionPlaces } from './regions/region-place.js';

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

/**
 * Collects the networks of one file of a cloud with the places of their regions, and inserts them. A network with rows
 * in different places has no place (note `conflict`). Networks of an unknown region have none either (note
 * `unresolved`), nor networks that are announced from many places (note `unknown`).
 */
export class CloudPlaces {
  readonly #file: OpenFile;
  readonly #sink: ClaimSink;
  readonly #prefix = new PrefixBuffer();
  readonly #rows: Row[] = [];
  /** By prefix. */
  readonly #claimIds = new Map<string, number>();
  readonly #notStated: number;

  constructor(file: OpenFile, sink: ClaimSink) {
    this.#file = file;
    this.#sink = sink;
    this.#notStated = sink.intern(NOT_STATED);
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
    const isStated = place !== undefined && place !== NO_PLACE;
    const claimId = isStated ? this.#sink.intern({ ...place, basis: 'cloud' }) : this.#notStated;
    const held = this.#claimIds.get(row.prefix) ?? claimId;
    this.#claimIds.set(row.prefix, held === claimId ? claimId : this.#notStated);
    const note = place === undefined ? 'unresolved' : 'unknown';
    this.#rows.push({ ...row, claimId, ...(!isStated && { note }) });
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

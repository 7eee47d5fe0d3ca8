import type { Prefix } from '../../net/prefix.js';
import type { Claim } from '../../input/claims/claim.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import type { Note, Reason } from '../../input/tally.js';

/** Passes the rows of a geofeed on to the sink of its file. A geofeed has only whole prefixes. */
export class ForwardingSink implements ClaimSink {
  protected readonly sink: ClaimSink;

  constructor(sink: ClaimSink) {
    this.sink = sink;
  }

  intern(claim: Claim): number {
    return this.sink.intern(claim);
  }

  prefix(layer: number, prefix: Prefix, claimId: number, position: number): boolean {
    return this.sink.prefix(layer, prefix, claimId, position);
  }

  range(): never {
    throw new Error('unexpected range: a geofeed has only prefixes');
  }

  part(): never {
    throw new Error('unexpected part of a row: a geofeed has only whole prefixes');
  }

  accept(): void {
    this.sink.accept();
  }

  unknown(): void {
    this.sink.unknown();
  }

  reject(reason: Reason, position: number, excerpt: string): void {
    this.sink.reject(reason, position, excerpt);
  }

  note(note: Note): void {
    this.sink.note(note);
  }
}

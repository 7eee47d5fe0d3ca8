import type { Prefix } from '../../net/prefix.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import { ForwardingSink } from './forwarding-sink.js';
import type { OwnBlocks } from './own-blocks.js';

/**
 * Takes the rows of a geofeed that the operator of the build lists. All of them are statements; if registrations name
 * the geofeed, rows outside of their blocks get a note.
 */
export class ListedSink extends ForwardingSink {
  readonly #blocks: OwnBlocks;

  constructor(sink: ClaimSink, blocks: OwnBlocks) {
    super(sink);
    this.#blocks = blocks;
  }

  override prefix(layer: number, prefix: Prefix, claimId: number, position: number): boolean {
    const isAccepted = super.prefix(layer, prefix, claimId, position);
    if (isAccepted && this.#blocks.isNamed && !this.#blocks.contain(prefix)) {
      const isPart = this.#blocks.nodeOf(prefix) !== undefined;
      this.sink.note(isPart ? 'partly-referenced' : 'not-referenced');
    }
    return isAccepted;
  }
}

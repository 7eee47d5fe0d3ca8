import type { ListSink } from '../list.js';
import type { ListClaim } from '../list-claim.js';
import { PrefixTexts } from '../prefix-texts.js';
import type { CloudLabel } from './cloud-list.js';

/** Inserts the prefixes of a cloud into a layer of a sink. Creates one claim per label. */
export class CloudNetworks {
  readonly #prefixes: PrefixTexts;
  readonly #claimOf: (label: CloudLabel) => ListClaim;
  readonly #claimIds = new Map<string, number>();

  constructor(sink: ListSink, claimOf: (label: CloudLabel) => ListClaim, layer = 0) {
    this.#prefixes = new PrefixTexts(sink, layer);
    this.#claimOf = claimOf;
  }

  /** Inserts `address[/length]`. Rejects other texts. */
  add(prefix: string, label: CloudLabel, position: number): void {
    this.#prefixes.add(prefix, this.#claimId(label), { position });
  }

  #claimId(label: CloudLabel): number {
    const key = `${label.service ?? ''}\u0000${label.region ?? ''}`;
    const held = this.#claimIds.get(key);
    if (held !== undefined) return held;
    const id = this.#prefixes.sink.intern(this.#claimOf(label));
    this.#claimIds.set(key, id);
    return id;
  }
}

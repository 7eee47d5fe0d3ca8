/** A few ASes with a count and a mark each, in columns with linear search. Reused for every prefix. */
export class AsTally {
  length = 0;
  asns = new Uint32Array(64);
  counts = new Uint32Array(64);
  /** 0 or 1; the meaning is defined by the caller. */
  marks = new Uint8Array(64);

  clear(): void {
    this.length = 0;
  }

  /** Returns the position of an AS; appends a new one with count and mark 0. */
  positionOf(asn: number): number {
    const { asns, length } = this;
    for (let i = 0; i < length; i++) if (asns[i] === asn) return i;
    if (length === asns.length) this.#grow();
    this.asns[length] = asn;
    this.counts[length] = 0;
    this.marks[length] = 0;
    return this.length++;
  }

  /** Sorts by descending count, then by ascending AS number. Positions change. */
  sort(): void {
    for (let i = 1; i < this.length; i++) {
      for (let at = i; at > 0 && this.#isBefore(at, at - 1); at--) this.#swap(at, at - 1);
    }
  }

  #isBefore(a: number, b: number): boolean {
    const { asns, counts } = this;
    return counts[a] === counts[b] ? asns[a]! < asns[b]! : counts[a]! > counts[b]!;
  }

  #swap(a: number, b: number): void {
    for (const column of [this.asns, this.counts, this.marks]) {
      const held = column[a]!;
      column[a] = column[b]!;
      column[b] = held;
    }
  }

  #grow(): void {
    const { asns, counts, marks } = this;
    this.asns = new Uint32Array(2 * asns.length);
    this.asns.set(asns);
    this.counts = new Uint32Array(2 * counts.length);
    this.counts.set(counts);
    this.marks = new Uint8Array(2 * marks.length);
    this.marks.set(marks);
  }
}

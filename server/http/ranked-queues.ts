/** A place in a queue. Outside of every queue it is its own neighbour. */
export class Place<T> {
  before: Place<T> = this;
  after: Place<T> = this;

  /** The head of a queue has no holder. */
  constructor(readonly holder?: T) {}

  leave(): void {
    this.before.after = this.after;
    this.after.before = this.before;
    this.before = this;
    this.after = this;
  }
}

/** Queues by rank, a small whole number. Every operation takes the same time, however many places are taken. */
export class RankedQueues<T> {
  /** Each queue is a ring from its head back to it. */
  readonly #heads: Place<T>[] = [];

  /** Moves a place to the end of the queue of a rank. */
  enter(place: Place<T>, rank: number): void {
    place.leave();
    while (this.#heads.length <= rank) this.#heads.push(new Place());
    const head = this.#heads[rank]!;
    place.before = head.before;
    place.after = head;
    head.before.after = place;
    head.before = place;
  }

  /** Returns the first holder in the queue of the highest rank; undefined when all queues are empty. */
  first(): T | undefined {
    return this.#heads.findLast((head) => head.after !== head)?.after.holder;
  }
}

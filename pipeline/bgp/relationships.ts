import type { AsGraph } from './as-graph.js';

/** Label of a link without an inferred relationship. */
export const UNLABELLED = 0;
/** The lower AS is the provider of the higher. */
export const LOWER_PROVIDES = 1;
/** The higher AS is the provider of the lower. */
export const HIGHER_PROVIDES = 2;
/** The two ASes are peers. */
export const PEERS = 3;

/**
 * The labels of the links of a graph during inference. A link keeps its first label, no AS becomes its own indirect
 * provider, and no member of the clique gets a provider.
 */
export class Relationships {
  /** By link. */
  readonly labels: Uint8Array;
  readonly #tails: Uint32Array;
  readonly #isInClique: Uint8Array;
  /** Linked lists of arcs to providers: the first arc by AS, the next by link; NO_ARC ends a list. */
  readonly #firstProviderArcs: Uint32Array;
  readonly #nextProviderArcs: Uint32Array;
  /** By AS: the number of the last search that visited it. */
  readonly #met: Uint32Array;
  #searches = 0;

  constructor(graph: AsGraph, isInClique: Uint8Array) {
    this.#tails = graph.tails;
    this.#isInClique = isInClique;
    this.labels = new Uint8Array(graph.tails.length / 2);
    this.#firstProviderArcs = new Uint32Array(graph.asns.length).fill(NO_ARC);
    this.#nextProviderArcs = new Uint32Array(graph.tails.length / 2);
    this.#met = new Uint32Array(graph.asns.length);
  }

  isLabelled(arc: number): boolean {
    return this.labels[arc >>> 1] !== UNLABELLED;
  }

  /** Whether the tail is the provider of the head. */
  provides(arc: number): boolean {
    return this.labels[arc >>> 1] === LOWER_PROVIDES + (arc & 1);
  }

  arePeers(arc: number): boolean {
    return this.labels[arc >>> 1] === PEERS;
  }

  isInClique(as: number): boolean {
    return this.#isInClique[as] === 1;
  }

  hasProvider(as: number): boolean {
    return this.#firstProviderArcs[as] !== NO_ARC;
  }

  /** Whether an arc from this AS to a provider satisfies `test`. */
  someProviderArc(as: number, test: (arc: number) => boolean): boolean {
    let arc = this.#firstProviderArcs[as]!;
    while (arc !== NO_ARC && !test(arc)) arc = this.#nextProviderArcs[arc >>> 1]!;
    return arc !== NO_ARC;
  }

  /** Labels the tail as the provider of the head. Returns false if that is not allowed. */
  setProvider(arc: number): boolean {
    const provider = this.#tails[arc]!;
    const customer = this.#tails[arc ^ 1]!;
    if (this.isLabelled(arc) || this.isInClique(customer) || this.#climbs(provider, customer)) return false;
    this.labels[arc >>> 1] = LOWER_PROVIDES + (arc & 1);
    this.#nextProviderArcs[arc >>> 1] = this.#firstProviderArcs[customer]!;
    this.#firstProviderArcs[customer] = arc ^ 1;
    return true;
  }

  /** Labels the link as a peering unless it has a label. */
  setPeers(arc: number): void {
    if (!this.isLabelled(arc)) this.labels[arc >>> 1] = PEERS;
  }

  /** Whether `to` is a direct or indirect provider of `from`. */
  #climbs(from: number, to: number): boolean {
    this.#searches++;
    const pending = [from];
    for (let as = pending.pop(); as !== undefined; as = pending.pop()) {
      for (let arc = this.#firstProviderArcs[as]!; arc !== NO_ARC; arc = this.#nextProviderArcs[arc >>> 1]!) {
        const provider = this.#tails[arc ^ 1]!;
        if (provider === to) return true;
        if (this.#met[provider] === this.#searches) continue;
        this.#met[provider] = this.#searches;
        pending.push(provider);
      }
    }
    return false;
  }
}

const NO_ARC = 0xffff_ffff;

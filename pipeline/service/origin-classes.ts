import type { HostingNetwork } from '../cloud/hosting-networks.js';
import { ABSENT } from '../table/zip.js';
import { hitOf } from './hit-table.js';
import type { Hit, Origin, ServiceParts, Surroundings } from './service.js';

/** Under which the table of hosting networks hits; it stands in no precedence, so any list goes before it. */
export const HOSTING_NETWORKS_ID = 'hosting-networks';

/** What is known about origins. */
export interface OriginSources extends Pick<ServiceParts, 'lists' | 'networkTypes'> {
  readonly origins: readonly Origin[];
  /** Clouds that publish no list. */
  readonly hosting: readonly HostingNetwork[];
  /** What of the surroundings decisions look at. */
  readonly relevant: (surroundings: Surroundings) => Surroundings;
}

/** What a decision sees of an origin. */
interface OriginClass {
  readonly surroundings: Surroundings;
  /** What lists say of the whole AS. */
  readonly hits: readonly Hit[];
  readonly namesSomebody: boolean;
}

/**
 * Origins that make no difference to a decision are of one class: nearly all of them, because few lists speak about
 * autonomous systems, and few types of networks tell a usage.
 */
export class OriginClasses {
  readonly #classes: OriginClass[] = [];
  readonly #numbers: Int32Array;

  constructor({ origins, networkTypes, relevant, ...sources }: OriginSources) {
    const hitsOfAs = hitsByAs(sources);
    const byMeaning = new Map<string, number>();
    const intern = (asn: number | undefined): number => {
      const networkType = asn === undefined ? undefined : networkTypes.get(asn);
      const surroundings = relevant({ asn, networkType });
      const hits = asn === undefined ? undefined : hitsOfAs.get(asn);
      const namesSomebody = hits?.some(namesOne) ?? false;
      const meaning = JSON.stringify([surroundings.asn, surroundings.networkType, hits && asn]);
      const held = byMeaning.get(meaning);
      if (held !== undefined) return held;
      byMeaning.set(meaning, this.#classes.length);
      return this.#classes.push({ surroundings, hits: hits ?? [], namesSomebody }) - 1;
    };
    // Class 0 is that of space which nobody announces.
    intern(undefined);
    this.#numbers = Int32Array.from(origins, ({ asn }) => intern(asn));
  }

  /** The class of an origin by its id, which may be ABSENT. */
  classOf(origin: number): number {
    return origin === ABSENT ? 0 : this.#numbers[origin]!;
  }

  surroundingsOf(number: number): Surroundings {
    return this.#classes[number]!.surroundings;
  }

  hitsOf(number: number): readonly Hit[] {
    return this.#classes[number]!.hits;
  }

  /** Whether a list names an ISP, domain or carrier for the whole AS. */
  namesSomebody(number: number): boolean {
    return this.#classes[number]!.namesSomebody;
  }
}

/** What is said of whole networks: by lists, and by the table of those that let out computers. */
function hitsByAs({
  lists,
  hosting,
}: Pick<OriginSources, 'lists' | 'hosting'>): ReadonlyMap<number, readonly Hit[]> {
  const hits = new Map<number, Hit[]>();
  for (const { asn, provider } of hosting) {
    hits.set(asn, [hitOf({ id: HOSTING_NETWORKS_ID, day: 0, today: 0 }, { cloud: provider })]);
  }
  for (const list of lists) for (const [asn, claim] of list.asns) add(hits, asn, hitOf(list, claim));
  return hits;
}

function namesOne({ claim: { isp, domain, carrier } }: Hit): boolean {
  return isp !== undefined || domain !== undefined || carrier !== undefined;
}

function add(hits: Map<number, Hit[]>, asn: number, hit: Hit): void {
  const held = hits.get(asn);
  if (held) held.push(hit);
  else hits.set(asn, [hit]);
}

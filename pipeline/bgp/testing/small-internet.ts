/** A topology with known relationships, and the shortest valley-free paths of its views. */
export interface SmallInternet {
  /** `1>2` if 1 is a provider of 2, `1=2` for peers. */
  readonly links: ReadonlySet<string>;
  readonly clique: readonly number[];
  /** AS numbers with spaces between, from each view to every other AS. */
  readonly paths: readonly string[];
}

const CLIQUE = [1, 2, 3, 4, 5];
const REGIONAL = 20;
const STUBS = 120;

/**
 * Returns a topology of a clique of five, regional networks with two providers in it, and stubs with one or two
 * regional providers.
 */
export function smallInternet(viewCount: number): SmallInternet {
  const links = new Set<string>();
  for (const a of CLIQUE) for (const b of CLIQUE) if (a < b) links.add(`${a}=${b}`);
  for (let i = 0; i < REGIONAL; i++) {
    links.add(`${1 + (i % 5)}>${100 + i}`).add(`${1 + ((i * 2 + 1) % 5)}>${100 + i}`);
    if (i % 4 === 0) links.add(`${100 + i}=${101 + i}`);
  }
  for (let i = 0; i < STUBS; i++) {
    links.add(`${100 + (i % REGIONAL)}>${1000 + i}`);
    if (i % 3 === 0) links.add(`${100 + ((i * 7 + 3) % REGIONAL)}>${1000 + i}`);
  }
  const views = Array.from({ length: viewCount }, (_, i) => (i % 2 === 0 ? 1000 + i * 5 : 100 + i));
  return { links, clique: CLIQUE, paths: views.flatMap((view) => pathsFrom(view, links)) };
}

/** Searches breadth-first over (AS, whether the path still goes up). */
function pathsFrom(view: number, links: ReadonlySet<string>): string[] {
  const neighbours = neighboursIn(links);
  const found = new Map<number, string>();
  const met = new Set<string>();
  const queue = [{ path: [view], climbs: true }];
  for (const { path, climbs } of queue) {
    const as = path.at(-1)!;
    if (path.length > 1 && !found.has(as)) found.set(as, path.join(' '));
    for (const { to, kind } of neighbours.get(as)!) {
      const next = climbs && kind === 'provider';
      if ((!climbs && kind !== 'customer') || path.includes(to) || met.has(`${to} ${next}`)) continue;
      met.add(`${to} ${next}`);
      queue.push({ path: [...path, to], climbs: next });
    }
  }
  return [...found.values()];
}

function neighboursIn(links: ReadonlySet<string>): Map<number, { to: number; kind: string }[]> {
  const neighbours = new Map<number, { to: number; kind: string }[]>();
  const add = (from: number, to: number, kind: string) => {
    neighbours.set(from, [...(neighbours.get(from) ?? []), { to, kind }]);
  };
  for (const link of links) {
    const [a, b] = link.split(/[>=]/).map(Number) as [number, number];
    add(a, b, link.includes('>') ? 'customer' : 'peer');
    add(b, a, link.includes('>') ? 'provider' : 'peer');
  }
  return neighbours;
}

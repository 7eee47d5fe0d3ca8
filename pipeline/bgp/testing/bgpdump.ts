import { spawnSync } from 'node:child_process';

/** One route as printed by bgpdump of RIPE NCC. */
export interface BgpdumpLine {
  /** `peer|AS|prefix|[path identifier|]path`. */
  readonly route: string;
  /** The route without the path. A peer can have only one route per key. */
  readonly key: string;
  /** The fields without the path identifier; the path in the form of a path table. */
  readonly fields: {
    readonly peer: string;
    readonly asn: string;
    readonly prefix: string;
    readonly path: string;
  };
}

/** Runs `bgpdump -m` on a file. Throws if it fails, as it does on a bad peer index (assertion). */
export function bgpdump(path: string): BgpdumpLine[] {
  const { status, stdout, stderr } = spawnSync('bgpdump', ['-m', path], {
    encoding: 'latin1',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`bgpdump ${path}: ${stderr}`);
  return parseBgpdump(stdout);
}

/** Parses the lines of `bgpdump -m`: `TABLE_DUMP2|time|B|peer|AS|prefix|[path identifier|]path|…`. */
export function parseBgpdump(printed: string): BgpdumpLine[] {
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [kind = '', , , peer = '', asn = '', prefix = '', ...rest] = line.split('|');
      const hasPathId = kind.endsWith('_AP');
      const path = rest[hasPathId ? 1 : 0]!;
      const route = [peer, asn, prefix, ...rest.slice(0, hasPathId ? 2 : 1)].join('|');
      const key = route.slice(0, route.lastIndexOf('|'));
      return { route, key, fields: { peer, asn, prefix, path } };
    });
}

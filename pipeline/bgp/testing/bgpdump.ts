import { spawnSync } from 'node:child_process';

/** What bgpdump, by RIPE NCC, prints of a dump. */
export interface BgpdumpLine {
  /** `peer|AS|prefix|[path identifier|]path`. */
  readonly route: string;
  /** Without the path: what a peer can tell but once. */
  readonly told: string;
  /** Without the path identifier, the path as it stands in a path table. */
  readonly fields: {
    readonly peer: string;
    readonly asn: string;
    readonly prefix: string;
    readonly path: string;
  };
}

/** Runs `bgpdump -m` on a file. Throws when it fails, as it does (by an assertion) on a bad peer index. */
export function bgpdump(path: string): BgpdumpLine[] {
  const { status, stdout, stderr } = spawnSync('bgpdump', ['-m', path], {
    encoding: 'latin1',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`bgpdump ${path}: ${stderr}`);
  return parseBgpdump(stdout);
}

/** The lines of `bgpdump -m`: `TABLE_DUMP2|time|B|peer|AS|prefix|[path identifier|]path|…`. */
export function parseBgpdump(printed: string): BgpdumpLine[] {
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [kind = '', , , peer = '', asn = '', prefix = '', ...rest] = line.split('|');
      const hasPathId = kind.endsWith('_AP');
      const path = rest[hasPathId ? 1 : 0]!;
      const route = [peer, asn, prefix, ...rest.slice(0, hasPathId ? 2 : 1)].join('|');
      const told = route.slice(0, route.lastIndexOf('|'));
      return { route, told, fields: { peer, asn, prefix, path } };
    });
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzFile } from '../../fixtures/generate/gz-file.js';
import { zipFile } from '../../fixtures/generate/zip-file.js';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { inserting } from '../fuzz/mutate.js';
import { unlessDeclared, type FuzzTarget, type TargetLifetime } from '../fuzz/target.js';
import { FeedError, RefusedFiles } from '../input/feed-error.js';
import type { RoutingSource } from '../input/routing-source.js';
import { GEOLITE2_ASN } from './geolite2-asn.js';
import { IPINFO_ASN } from './ipinfo-asn.js';
import { loadObservedAses, type Observer } from './observed-ases.js';
import { trySource, writeContents } from './testing/source-trial.js';

/** A text, and how it is packed into a file of its source. */
interface Unpacked {
  readonly observer: Observer;
  readonly source: RoutingSource;
  readonly name: string;
  readonly bytes: Buffer;
  readonly pack: (bytes: Buffer) => Buffer;
}

const PIECES = [',', '"', '""', '\n', '\r\n', '-', '::', '/', '/0', 'AS', '64512', '99999999999', '\ufeff'];

/** The number of lines of IPinfo's fixture that are used. */
const MAX_LINES = 200;

/** Reads damaged files of observed ASes, which are damaged before they are packed, and loads what was written. */
export function openTarget(t: TargetLifetime): FuzzTarget {
  const root = mkdtempSync(join(tmpdir(), 'ipatlas-fuzz-observed-'));
  t.teardown(() => {
    rmSync(root, { recursive: true, force: true });
  });
  const files = [blocks('IPv4', 'IPv6'), blocks('IPv6', 'IPv4'), lite()];
  return {
    seeds: files.map(({ bytes }, i) => ({ name: String(i), bytes })),
    mutators: [inserting(PIECES)],
    run: async ({ name: index, bytes }) => {
      const { observer, source, name, pack } = files[Number(index)]!;
      const dir = mkdtempSync(join(root, 'input-'));
      try {
        const { dir: made } = await trySource(
          dir,
          source,
          writeContents(dir, source, { [name]: pack(bytes) }),
        );
        loadObservedAses(observer, made);
      } catch (error) {
        unlessDeclared(error, [FeedError, RefusedFiles]);
      } finally {
        rmSync(dir, { recursive: true });
      }
    },
  };
}

/** The blocks of one family, in a zip with undamaged blocks of the other. */
function blocks(family: string, other: string): Unpacked {
  const nameOf = (name: string): string => `GeoLite2-ASN-Blocks-${name}.csv`;
  const textOf = (name: string): Buffer =>
    readFileSync(join(PROJECT_ROOT, 'fixtures/sources/geolite2-asn', nameOf(name)));
  const rest = { name: nameOf(other), bytes: textOf(other) };
  return {
    observer: 'geolite2',
    source: GEOLITE2_ASN,
    name: 'GeoLite2-ASN-CSV_20261117.zip',
    bytes: textOf(family),
    pack: (bytes) => zipFile([{ name: nameOf(family), bytes }, rest]),
  };
}

function lite(): Unpacked {
  const text = readFileSync(join(PROJECT_ROOT, 'fixtures/sources/ipinfo_lite.csv'), 'latin1');
  const lines = text.split('\n').slice(0, MAX_LINES);
  const bytes = Buffer.from(`${lines.join('\n')}\n`, 'latin1');
  return { observer: 'ipinfo', source: IPINFO_ASN, name: 'ipinfo_lite.csv.gz', bytes, pack: gzFile };
}

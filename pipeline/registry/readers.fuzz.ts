import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { inserting } from '../fuzz/mutate.js';
import { unlessDeclared, type FuzzTarget, type TargetLifetime } from '../fuzz/target.js';
import { FeedError, RefusedFiles } from '../input/feed-error.js';
import type { RoutingSource } from '../input/routing-source.js';
import { AS_NAMES } from './as-names.js';
import { DELEGATED } from './delegations.js';
import { IANA } from './iana.js';
import { PEERINGDB } from './peeringdb.js';
import { RPKI } from './rpki.js';
import { trySource, writeContents } from './testing/source-trial.js';

/** A file of each format. Large fixtures are cut at a line end. */
const FILES: readonly (readonly [RoutingSource, name: string])[] = [
  [AS_NAMES, 'asn.txt'],
  [DELEGATED, 'delegated-lacnic-extended-latest'],
  [DELEGATED, 'delegated-ripencc-latest'],
  [IANA, 'iana-ipv4-special-registry.xml'],
  [IANA, 'ipv4-address-space.xml'],
  [IANA, 'ipv6-unicast-address-assignments.xml'],
  [IANA, 'as-numbers.xml'],
  [RPKI, 'vrps.csv'],
  [PEERINGDB, 'net-0.json'],
  [PEERINGDB, 'ixpfx-0.json'],
];

const VRPS = {
  metadata: { buildtime: '2026-11-21T00:00:00Z' },
  roas: [{ asn: 'AS1', prefix: '192.0.2.0/24', maxLength: 24, ta: 'x', expires: 1_800_000_000 }],
};

const TYPES = 'asn,network_type,network_name\n3303,Cable/DSL/ISP,Swisscom\n714,Content,"Apple, Inc."\n';

const PIECES = [
  '|',
  ',',
  '"',
  '\n',
  '<record>',
  '</record>',
  '<registry',
  '&#0;',
  '&lt;',
  '<!--',
  '<![CDATA[',
  '[[[',
  '{"a":',
  'null',
  '0.0.0.0/0',
];

/** Reads damaged files of registries: columns, CSV, XML and JSON. */
export function openTarget(t: TargetLifetime): FuzzTarget {
  const root = mkdtempSync(join(tmpdir(), 'ipatlas-fuzz-registry-'));
  t.teardown(() => {
    rmSync(root, { recursive: true, force: true });
  });
  const files = FILES.map(([source, name]) => {
    const bytes = readFileSync(join(PROJECT_ROOT, 'fixtures/feeds', source.files[0]!.folder, name));
    return { source, name, bytes };
  });
  const all = [
    ...files,
    { source: RPKI, name: 'rpki.json', bytes: Buffer.from(JSON.stringify(VRPS)) },
    { source: PEERINGDB, name: 'asn-types.csv', bytes: Buffer.from(TYPES) },
  ];
  return {
    seeds: all.map(({ bytes }, i) => ({ name: String(i), bytes })),
    mutators: [inserting(PIECES)],
    run: async ({ name: index, bytes }) => {
      const { source, name } = all[Number(index)]!;
      const dir = mkdtempSync(join(root, 'input-'));
      try {
        await trySource(dir, source, writeContents(dir, source, { [name]: bytes }));
      } catch (error) {
        unlessDeclared(error, [FeedError, RefusedFiles]);
      } finally {
        rmSync(dir, { recursive: true });
      }
    },
  };
}

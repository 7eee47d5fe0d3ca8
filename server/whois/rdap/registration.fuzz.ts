import { readFileSync } from 'node:fs';
import { inserting } from '../../../pipeline/fuzz/mutate.js';
import { unlessDeclared, type FuzzTarget } from '../../../pipeline/fuzz/target.js';
import { parseRdapBootstrap, RdapBootstrapError } from '../../../pipeline/net/rdap-bootstrap.js';
import { registrationOf } from './registration.js';
import * as samples from './testing/rdap-samples.js';

const TARGETS = [
  { kind: 'domain', name: 'example.com' },
  { kind: 'ip', ip: '192.0.2.1', version: 4 },
  { kind: 'asn', asn: 64_500 },
] as const;

const PIECES = [
  'null',
  '[]',
  '{}',
  '"',
  ',',
  ':',
  '[[',
  '{"',
  '\\u0000',
  '\\ud800',
  '1e999',
  '-0',
  '"events":',
  '__proto__',
];

/** Reads damaged RDAP objects and lists of RDAP servers. An object is never refused. */
export function openTarget(): FuzzTarget {
  const objects = Object.entries(samples)
    .filter(([, sample]) => typeof sample === 'object')
    .map(([name, sample]) => ({ name, bytes: Buffer.from(JSON.stringify(sample)) }));
  const bootstraps = ['asn.json', 'dns.json', 'ipv4.json', 'ipv6.json'].map((name) => {
    const url = new URL(`../../../../fixtures/feeds/rdap/${name}`, import.meta.url);
    return { name: `bootstrap ${name}`, bytes: readFileSync(url) };
  });
  return {
    seeds: [...objects, ...objects, ...bootstraps],
    mutators: [inserting(PIECES)],
    run: ({ name, bytes }) => {
      const raw = bytes.toString('utf8');
      if (name.startsWith('bootstrap')) readBootstrap(raw);
      else readObject(raw);
    },
  };
}

function readObject(raw: string): void {
  let object: unknown;
  try {
    object = JSON.parse(raw);
  } catch {
    // The client answers that the server returned invalid JSON.
    return;
  }
  for (const target of TARGETS) registrationOf(target, { object, raw, hosts: ['rdap.example.com'] });
}

function readBootstrap(text: string): void {
  try {
    parseRdapBootstrap(text);
  } catch (error) {
    unlessDeclared(error, [RdapBootstrapError]);
  }
}

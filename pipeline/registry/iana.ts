import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readPlain } from '../input/containers/containers.js';
import type { PublishedFile, OpenFile } from '../input/published-source.js';
import { withDownload } from '../input/routing-downloads.js';
import { FeedError } from '../input/feed-error.js';
import type { RoutingSource, NormaliseContext } from '../input/routing-source.js';
import type { Tally } from '../input/tally.js';
import { formatPrefix, parsePrefix, type Prefix } from '../net/prefix.js';
import { isWholeRegistry, RegistryError } from '../net/registry-xml.js';
import { parseSpecialPurposeRegistry, type SpecialPurposeRange } from '../net/special-purpose.js';
import { PrefixTable } from '../table/prefix-table.js';
import { readAddressBlocks, readAsnBlocks, type AddressBlock, type AsnBlock } from './iana-blocks.js';
import { readEach } from '../input/read-each.js';
import { REGISTRIES, type Registry } from './registries.js';

const FILES: readonly PublishedFile[] = [
  'iana-ipv4-special-registry.xml',
  'iana-ipv6-special-registry.xml',
  'ipv4-address-space.xml',
  'ipv6-unicast-address-assignments.xml',
  'as-numbers.xml',
].map((name) =>
  withDownload({
    folder: 'iana',
    name,
    container: 'plain',
    required: false,
    take: 'all',
    maxUnpackedBytes: 4_000_000,
  }),
);

/** IANA's registries: the designation of addresses and AS numbers before a regional registry delegates them. */
export const IANA: RoutingSource = {
  id: 'iana',
  publisher: 'IANA',
  licence: { name: 'CC0', url: 'https://www.iana.org/help/licensing-terms', terms: 'free' },
  files: FILES,
  cadence: 'rare',
  version: 2,
  tolerance: 0,
  normalise,
};

/** The content of IANA's registries. The list of a missing file is empty. */
export interface IanaRegistries {
  readonly specialPurpose: readonly SpecialPurposeRange[];
  readonly addressBlocks: readonly AddressBlock[];
  readonly asnBlocks: readonly AsnBlock[];
  /** Returns the regional registry of the block with an AS number; undefined if it has none. */
  readonly registryOfAsn: (asn: number) => Registry | undefined;
  /** Returns the regional registry of the most specific block with an address; undefined if it has none. */
  readonly registryOfAddress: (address: Uint32Array) => Registry | undefined;
}

/** Loads the normalised registries from a folder. Throws ZodError or SyntaxError if the file has another form. */
export function loadIanaRegistries(dir: string): IanaRegistries {
  const { specialPurpose, addressBlocks, asnBlocks } = writtenSchema.parse(
    JSON.parse(readFileSync(join(dir, JSON_FILE), 'utf8')),
  );
  const table = new PrefixTable();
  addressBlocks.forEach(({ prefix }, index) => table.insert(prefix.address, prefix.length, index));
  const flat = table.flatten();
  return {
    specialPurpose,
    addressBlocks,
    asnBlocks,
    registryOfAsn: (asn) => asnBlocks.find(({ first, last }) => first <= asn && asn <= last)?.registry,
    registryOfAddress: (address) => {
      const match = flat.lookup(address);
      return match && addressBlocks[match.recordId]!.registry;
    },
  };
}

const JSON_FILE = 'iana.json';

const prefixSchema = z.string().transform((text, context): Prefix => {
  const prefix = parsePrefix(text);
  if (prefix) return prefix;
  context.addIssue('invalid prefix');
  return z.NEVER;
});
const registrySchema = z.enum(REGISTRIES).exactOptional();

const writtenSchema = z.strictObject({
  specialPurpose: z.array(
    z.strictObject({ prefix: prefixSchema, name: z.string(), globallyReachable: z.boolean() }),
  ),
  addressBlocks: z.array(
    z.strictObject({
      prefix: prefixSchema,
      registry: registrySchema,
      designation: z.string(),
      status: z.string(),
    }),
  ),
  asnBlocks: z.array(
    z.strictObject({
      first: z.uint32(),
      last: z.uint32(),
      registry: registrySchema,
      designation: z.string(),
    }),
  ),
});

interface Found {
  readonly specialPurpose: SpecialPurposeRange[];
  readonly addressBlocks: AddressBlock[];
  readonly asnBlocks: AsnBlock[];
}

async function normalise(files: readonly OpenFile[], { dir, tallyOf }: NormaliseContext): Promise<void> {
  const found: Found = { specialPurpose: [], addressBlocks: [], asnBlocks: [] };
  const inOrder = [...files].sort((a, b) => rankOf(a) - rankOf(b));
  await readEach('iana', inOrder, async (file) => {
    readRegistry(file, await readXml(file), found, tallyOf(file));
  });
  const written = {
    specialPurpose: found.specialPurpose.map(withPrefixText),
    addressBlocks: found.addressBlocks.map(withPrefixText),
    asnBlocks: found.asnBlocks,
  };
  await writeFile(join(dir, JSON_FILE), JSON.stringify(written), { flush: true });
}

function rankOf(file: OpenFile): number {
  return FILES.findIndex(({ name }) => name === file.name);
}

function withPrefixText<T extends { readonly prefix: Prefix }>(
  row: T,
): Omit<T, 'prefix'> & { prefix: string } {
  const { address, length, family } = row.prefix;
  return { ...row, prefix: formatPrefix(address, length, family) };
}

/**
 * Returns the text of an XML file. Throws FeedError: `header` without a registry element, `truncated` without its end.
 */
async function readXml(file: OpenFile): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readPlain(file)) chunks.push(chunk);
  const xml = Buffer.concat(chunks).toString('utf8');
  if (!xml.includes('<registry')) throw new FeedError('header', file.id, 'no <registry> element found');
  if (!isWholeRegistry(xml)) throw new FeedError('truncated', file.id, 'the last </registry> is missing');
  return xml;
}

/** Reads a registry into `found`. Throws FeedError: `header` if it is unreadable, `truncated` if blocks are missing. */
function readRegistry(file: OpenFile, xml: string, found: Found, tally: Tally): void {
  try {
    readRecords(file, xml, found, tally);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    throw new FeedError('header', file.id, error.message, { cause: error });
  }
  if (tally.rows === 0) throw new FeedError('header', file.id, 'no <record> of this registry found');
  if (file.name === 'ipv4-address-space.xml' && tally.rows !== ALL_SLASH_8) {
    throw new FeedError('truncated', file.id, `it has ${tally.rows} of ${ALL_SLASH_8} blocks`);
  }
}

function readRecords(file: OpenFile, xml: string, found: Found, tally: Tally): void {
  switch (file.name) {
    case 'as-numbers.xml':
      found.asnBlocks.push(...readAsnBlocks(xml, tally));
      break;
    case 'ipv4-address-space.xml':
    case 'ipv6-unicast-address-assignments.xml':
      found.addressBlocks.push(...readAddressBlocks(xml, tally));
      break;
    default:
      found.specialPurpose.push(...readSpecialPurpose(file, xml, tally));
  }
}

const ALL_SLASH_8 = 256;

/**
 * Rows that old copies lack. Without 3fff::/20, documentation space would count as public; without 192.0.0.10/32,
 * public addresses would count as reserved.
 */
const NEWER_ROWS: Readonly<Record<string, readonly string[]>> = {
  'iana-ipv4-special-registry.xml': ['192.0.0.10/32'],
  'iana-ipv6-special-registry.xml': ['100:0:0:1::/64', '2001:30::/28', '3fff::/20', '5f00::/16'],
};

/** Reads a special-purpose registry. Throws FeedError `stale` if the copy lacks a row of NEWER_ROWS. */
function readSpecialPurpose(file: OpenFile, xml: string, tally: Tally): readonly SpecialPurposeRange[] {
  const ranges = parseSpecialPurposeRegistry(xml);
  const listed = new Set(ranges.map((range) => withPrefixText(range).prefix));
  const lacking = NEWER_ROWS[file.name]!.filter((prefix) => !listed.has(prefix));
  if (lacking.length > 0)
    throw new FeedError('stale', file.id, `the copy is too old: it lacks ${lacking.join(', ')}`);
  for (let row = 0; row < ranges.length; row++) tally.accept();
  return ranges;
}

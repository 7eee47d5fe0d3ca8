import { METADATA_MARKER } from './encode-metadata.js';
import { readMetadata, type LocatedMetadata, type MmdbMetadata } from './metadata.js';
import { MmdbError } from './mmdb-error.js';
import { ProblemList, type VerifyProblem } from './problems.js';
import type { Schema } from './schema.js';
import { SEPARATOR_BYTES } from './tree-bytes.js';
import { layOut, type MmdbLayout } from './tree-layout.js';
import { scanData, type ScannedData } from './verify-data.js';
import { verifyPointers } from './verify-pointers.js';
import { verifySchema } from './verify-schema.js';
import { verifyTree, type WalkedTree } from './verify-tree.js';

/** How much of what a file holds. */
export interface VerifyCounts {
  /** Nodes reached from the root. */
  readonly nodes: number;
  /** Networks with a record as the file has them, aliases not counted. */
  readonly networksV4: number;
  readonly networksV6: number;
  /** Distinct records that networks refer to. */
  readonly records: number;
  readonly dataBytes: number;
}

/** What verification found. The file is good when `problemCount` is 0. */
export interface VerifyReport {
  /** Absent when it cannot be read; then nothing else was looked at. */
  readonly metadata: MmdbMetadata | undefined;
  readonly counts: VerifyCounts;
  /** Networks that stand for the IPv4 tree. `2001::/32` is legal here, though our writer never makes it. */
  readonly aliases: readonly string[];
  /** The first problems, in words. */
  readonly problems: readonly VerifyProblem[];
  readonly problemCount: number;
}

export interface VerifyOptions {
  /** What every record has to be like. */
  readonly schema?: Schema;
}

/**
 * Checks every byte of an MMDB file but unknown metadata keys: metadata typed and described, tree and separator
 * inside the file, every node reached once, every record of the tree at the start of a value, the data section
 * values from end to end, pointers legal, every top-level value in use, every record as the schema says. Stricter
 * than readers are. Never throws for what is in the file, and takes time and memory in proportion to its size.
 */
export function verifyMmdb(file: Buffer, options: VerifyOptions = {}): VerifyReport {
  const problems = new ProblemList();
  let metadata: MmdbMetadata | undefined;
  let walked: Walked | undefined;
  try {
    const located = readMetadata(file);
    metadata = located.metadata;
    verifyMetadata(file, located, problems);
    walked = verifyParts(file, layOut(file, located), options, problems);
  } catch (error) {
    if (!(error instanceof MmdbError)) throw error;
    problems.add(() => error);
  }
  return {
    metadata,
    counts: countsOf(walked),
    aliases: walked?.tree.aliases ?? [],
    problems: problems.described,
    problemCount: problems.count,
  };
}

interface Walked {
  readonly tree: WalkedTree;
  readonly dataBytes: number;
}

function verifyParts(
  file: Buffer,
  layout: MmdbLayout,
  { schema }: VerifyOptions,
  problems: ProblemList,
): Walked {
  verifySeparator(file, layout, problems);
  const scanned = scanData(layout, problems);
  const tree = verifyTree(layout, scanned, problems);
  reportOrphans(layout, scanned, tree, problems);
  if (scanned.end === layout.data.length) {
    const before = problems.count;
    verifyPointers(layout, scanned, problems);
    if (schema !== undefined && problems.count === before) verifySchema(layout, schema, problems);
  }
  return { tree, dataBytes: layout.data.length };
}

/** What readMetadata lets pass because readers can do without. */
function verifyMetadata(file: Buffer, located: LocatedMetadata, problems: ProblemList): void {
  const { metadata, markerOffset, end, absent } = located;
  const start = markerOffset + METADATA_MARKER.length;
  const complain = (offset: number, path: string, found: string): void => {
    problems.add(() => new MmdbError('metadata', { offset, path }, found));
  };
  if (metadata.databaseType === '') complain(start, '/database_type', 'no database type');
  for (const key of absent) complain(start, `/${key}`, 'missing from the metadata');
  if (!absent.includes('description') && Object.keys(metadata.description).length === 0) {
    complain(start, '/description', 'no description');
  }
  if (metadata.binaryFormatMinorVersion !== 0) {
    complain(start, '/binary_format_minor_version', `${metadata.binaryFormatMinorVersion} is not 0`);
  }
  if (end !== file.length) complain(end, '/', `${file.length - end} bytes behind the metadata`);
}

function verifySeparator(file: Buffer, { dataStart }: MmdbLayout, problems: ProblemList): void {
  const start = dataStart - SEPARATOR_BYTES;
  const dirty = file.subarray(start, dataStart).findIndex((byte) => byte !== 0);
  if (dirty < 0) return;
  const place = { offset: start + dirty, path: '/' };
  problems.add(() => new MmdbError('separator', place, 'a byte between tree and data is not 0'));
}

function reportOrphans(
  layout: MmdbLayout,
  scanned: ScannedData,
  tree: WalkedTree,
  problems: ProblemList,
): void {
  scanned.topLevel.forEachMissingIn(tree.leaves, (at) => {
    const place = { offset: layout.dataStart + at, path: '/' };
    problems.add(() => new MmdbError('orphan', place, 'no record of the search tree refers to this value'));
  });
}

function countsOf(walked: Walked | undefined): VerifyCounts {
  return {
    nodes: walked?.tree.nodes ?? 0,
    networksV4: walked?.tree.networksV4 ?? 0,
    networksV6: walked?.tree.networksV6 ?? 0,
    records: walked?.tree.leaves.count() ?? 0,
    dataBytes: walked?.dataBytes ?? 0,
  };
}

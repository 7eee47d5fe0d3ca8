import { describeWrongEpoch, isDate } from './build-epoch.js';
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

/** The figures of a file. */
export interface VerifyCounts {
  /** The number of nodes reached from the root. */
  readonly nodes: number;
  /** The numbers of networks with a record, without aliases. */
  readonly networksV4: number;
  readonly networksV6: number;
  /** The number of distinct records that networks refer to. */
  readonly records: number;
  readonly dataBytes: number;
}

/** The result of a verification. The file is valid when `problemCount` is 0. */
export interface VerifyReport {
  /** Undefined when it cannot be read; nothing else was checked then. */
  readonly metadata: MmdbMetadata | undefined;
  readonly counts: VerifyCounts;
  /** Networks that refer to the IPv4 tree. `2001::/32` is allowed, although our writer never creates it. */
  readonly aliases: readonly string[];
  /** The first problems; see PROBLEMS_DESCRIBED. */
  readonly problems: readonly VerifyProblem[];
  readonly problemCount: number;
}

/** The options of a verification. */
export interface VerifyOptions {
  /** The schema that every record must match. */
  readonly schema?: Schema;
}

/**
 * Checks every byte of an MMDB file except unknown metadata keys: metadata has types and descriptions, tree and
 * separator fit into the file, every node is reached once, every record of the tree is the start of a value, the data
 * section consists of values, pointers are valid, every top-level value is used, and every record matches the schema.
 * Stricter than readers. Never throws for the content of the file. Time and memory are proportional to its size.
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

/** Checks what readMetadata accepts because readers do not need it. */
function verifyMetadata(file: Buffer, located: LocatedMetadata, problems: ProblemList): void {
  const { metadata, markerOffset, end, absent } = located;
  const start = markerOffset + METADATA_MARKER.length;
  const report = (offset: number, path: string, found: string): void => {
    problems.add(() => new MmdbError('metadata', { offset, path }, found));
  };
  if (metadata.databaseType === '') report(start, '/database_type', 'empty');
  for (const key of absent) report(start, `/${key}`, 'missing');
  if (!absent.includes('description') && Object.keys(metadata.description).length === 0) {
    report(start, '/description', 'empty');
  }
  if (metadata.binaryFormatMinorVersion !== 0) {
    report(start, '/binary_format_minor_version', `${metadata.binaryFormatMinorVersion}: expected 0`);
  }
  if (!isDate(metadata.buildEpoch)) report(start, '/build_epoch', describeWrongEpoch(metadata.buildEpoch));
  if (end !== file.length) report(end, '/', `${file.length - end} bytes after the metadata`);
}

function verifySeparator(file: Buffer, { dataStart }: MmdbLayout, problems: ProblemList): void {
  const start = dataStart - SEPARATOR_BYTES;
  const dirty = file.subarray(start, dataStart).findIndex((byte) => byte !== 0);
  if (dirty < 0) return;
  const place = { offset: start + dirty, path: '/' };
  problems.add(
    () =>
      new MmdbError(
        'separator',
        place,
        `byte ${file[start + dirty]!} between tree and data section: expected 0`,
      ),
  );
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

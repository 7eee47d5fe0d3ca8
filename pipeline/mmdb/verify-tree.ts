import { ADDRESS_BITS } from '../net/address.js';
import { Bitset } from './bitset.js';
import { MmdbError, type MmdbFault } from './mmdb-error.js';
import type { ProblemList } from './problems.js';
import { recordReader, type MmdbLayout, type RecordReader } from './tree-layout.js';
import { ipv4RootOf, TreePath } from './tree-path.js';
import type { ScannedData } from './verify-data.js';

/** The figures of a walk over a search tree. */
export interface WalkedTree {
  /** The number of nodes reached from the root. */
  readonly nodes: number;
  /** The numbers of networks with a record, without aliases. */
  readonly networksV4: number;
  readonly networksV6: number;
  /** Networks that refer to the IPv4 tree, for example `2002::/16`. */
  readonly aliases: readonly string[];
  /** The offsets in the data section that the tree refers to. */
  readonly leaves: Bitset;
}

/**
 * Walks the search tree once. Every node must be reached exactly once, except through aliases of the IPv4 tree. Every
 * record must be a node, no record, or the start of a top-level value. No node may be below the last bit of an
 * address.
 */
export function verifyTree(layout: MmdbLayout, scanned: ScannedData, problems: ProblemList): WalkedTree {
  const walk = new TreeWalk(layout, scanned, problems);
  walk.visitNode(0, 0);
  walk.reportUnreachable();
  return {
    nodes: walk.nodes,
    networksV4: walk.networksV4,
    networksV6: walk.networks - walk.networksV4,
    aliases: walk.aliases,
    leaves: walk.leaves,
  };
}

class TreeWalk {
  nodes = 0;
  networks = 0;
  networksV4 = 0;
  readonly aliases: string[] = [];
  readonly leaves: Bitset;
  readonly #layout: MmdbLayout;
  readonly #scanned: ScannedData;
  readonly #problems: ProblemList;
  readonly #record: RecordReader;
  readonly #ipv4Root: number | undefined;
  readonly #path: TreePath;
  readonly #seen: Bitset;
  /** The nodes of the path, by depth. */
  readonly #nodesAbove = new Uint32Array(ADDRESS_BITS);

  constructor(layout: MmdbLayout, scanned: ScannedData, problems: ProblemList) {
    const { nodeCount, recordSize, ipVersion } = layout.metadata;
    this.#layout = layout;
    this.#scanned = scanned;
    this.#problems = problems;
    this.#record = recordReader(layout.tree, recordSize);
    this.#ipv4Root = ipVersion === 4 ? 0 : ipv4RootOf(layout, this.#record);
    this.#path = new TreePath(ipVersion);
    this.#seen = new Bitset(nodeCount);
    this.leaves = new Bitset(layout.data.length);
  }

  visitNode(node: number, depth: number): void {
    const { sides } = this.#path;
    const before = this.networks;
    this.nodes++;
    this.#seen.add(node);
    this.#nodesAbove[depth] = node;
    sides[depth] = 0;
    this.#visit(this.#record(node, 0), depth + 1);
    sides[depth] = 1;
    this.#visit(this.#record(node, 1), depth + 1);
    if (node === this.#ipv4Root) this.networksV4 = this.networks - before;
  }

  reportUnreachable(): void {
    const { nodeCount, recordSize } = this.#layout.metadata;
    for (let node = 0; node < nodeCount; node++) {
      if (this.#seen.has(node)) continue;
      const place = { offset: (node * recordSize) / 4, path: '/' };
      this.#problems.add(
        () => new MmdbError('node-unreachable', place, `node ${node} is not reachable from the root`),
      );
    }
  }

  #visit(value: number, depth: number): void {
    const { nodeCount } = this.#layout.metadata;
    if (value === nodeCount) return;
    if (value > nodeCount) this.#visitLeaf(value, depth);
    else if (this.#seen.has(value)) this.#visitAgain(value, depth);
    else if (depth < this.#path.depthLimit) this.visitNode(value, depth);
    else this.#report('tree-depth', depth, `node ${value} is below the last bit of an address`);
  }

  #visitLeaf(value: number, depth: number): void {
    const offset = value - this.#layout.dataBias;
    if (offset < 0) {
      this.#report('record-gap', depth, `record ${value} is neither a node nor in the data section`);
    } else if (offset >= this.#layout.data.length) {
      this.#report('record-range', depth, `record ${value} is beyond the data section`);
    } else {
      this.networks++;
      this.leaves.add(offset);
      if (offset < this.#scanned.end && !this.#scanned.topLevel.has(offset)) {
        this.#report(
          'record-target',
          depth,
          `no top-level value starts at offset ${offset} of the data section`,
        );
      }
    }
  }

  #visitAgain(node: number, depth: number): void {
    const alias = node === this.#ipv4Root ? this.#path.aliasAt(depth) : undefined;
    if (alias !== undefined) {
      this.aliases.push(alias);
      return;
    }
    const isAbove = this.#nodesAbove.subarray(0, depth).includes(node);
    const found = isAbove ? 'is its own ancestor' : 'is reached a second time';
    this.#report(isAbove ? 'tree-cycle' : 'node-shared', depth, `node ${node} ${found}`);
  }

  /** Reports a problem with the record at the end of the path of `depth` bits. */
  #report(fault: MmdbFault, depth: number, found: string): void {
    this.#problems.add(() => {
      const node = this.#nodesAbove[depth - 1]!;
      const offset = (node * this.#layout.metadata.recordSize) / 4;
      return new MmdbError(fault, { offset, path: this.#path.network(depth) }, found);
    });
  }
}

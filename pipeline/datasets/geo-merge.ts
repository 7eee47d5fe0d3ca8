import { join } from 'node:path';
import { z } from 'zod';
import { divideSpace } from '../table/divide.js';
import { NODE_BYTES } from '../table/table-file.js';
import { mergePart } from '../merge/merge-part.js';
import { writePart } from '../merge/part-file.js';
import { POLICY_VERSION } from '../merge/precedence.js';
import { GEO_COUNTERS_VERSION } from '../release/geo-counters.js';
import type { Stage, StageContext } from '../stage/stage.js';
import { openMergedFeed } from './geo-claims.js';
import {
  claimedFeedsOf,
  GEO_EDITIONS,
  inMergeOrder,
  type ClaimedFeed,
  type GeoEdition,
} from './geo-inputs.js';
import { keptResult, requireKept } from './kept-result.js';

/** Part of the key of merged parts; raise it with every change to their files. */
const PART_VERSION = 1;

/** A merged part of the address space: its kept folder and the key of its content. */
export const mergeResultSchema = z.strictObject({ folder: z.string(), key: z.string() });

/** Merges one of several parts of the address space, for both editions. */
export const mergeGeoPart: Stage = async (input, context): Promise<z.infer<typeof mergeResultSchema>> => {
  const count = z.coerce.number().int().positive();
  const { part, parts } = z.strictObject({ part: count, parts: count }).parse(input);
  const feeds = inMergeOrder(claimedFeedsOf(context));
  const { folder, key } = await keptResult(
    {
      name: `merge-${part}-of-${parts}`,
      made: [
        `part ${PART_VERSION}`,
        `policy ${POLICY_VERSION}`,
        `counters ${GEO_COUNTERS_VERSION}`,
        ...feeds.map(({ feed, made }) => `${feed} ${made.claims.key}`),
      ],
      result: z.strictObject({}),
      write: async (dir) => {
        await merge(dir, { feeds, part, parts }, context);
        return {};
      },
    },
    context,
  );
  return { folder, key };
};

interface Task {
  readonly feeds: readonly ClaimedFeed[];
  readonly part: number;
  readonly parts: number;
}

async function merge(dir: string, { feeds, part, parts }: Task, context: StageContext): Promise<void> {
  const opened = [];
  for (const { feed, made } of feeds) {
    const folder = await requireKept(made.claims.folder, context);
    opened.push(openMergedFeed({ feed, dir: folder, isOpen: made.isOpen }));
  }
  const tables = opened.map(({ table }) => table);
  try {
    const chosen = divideSpace(tables, parts)[part - 1]!;
    let nodes = 0;
    const merged = mergePart(opened, chosen, (more) => {
      nodes += more;
      context.progress({ bytesDone: nodes * NODE_BYTES, bytesTotal: chosen.nodeCount * NODE_BYTES });
    });
    for (const [i, edition] of GEO_EDITIONS.entries()) writePart(partIn(dir, edition), merged[i]!);
  } finally {
    for (const table of tables) table.close();
  }
}

/** Returns the path of an edition in the folder of a merged part. */
export function partIn(dir: string, edition: GeoEdition): string {
  return join(dir, edition);
}

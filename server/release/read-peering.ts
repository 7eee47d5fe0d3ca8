import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { peeringIndexSchema, type PeeringIndex } from '../../pipeline/release/contract.js';
import { freezeDeep } from './record-cache.js';

/** Entries that are checked in one turn of the event loop: some milliseconds. */
const ENTRIES_A_TURN = 1000;

const listsSchema = z.strictObject({ nets: z.array(z.unknown()), facs: z.array(z.unknown()) });

/**
 * The index of networks and facilities that the bytes of `peering.json` hold, frozen. There are some 40,000 entries:
 * requests are answered between parts of them. Throws SyntaxError or ZodError when it is no index.
 */
export async function readPeering(bytes: Buffer): Promise<PeeringIndex> {
  const lists = listsSchema.parse(JSON.parse(bytes.toString('utf8')));
  const index: PeeringIndex = { nets: [], facs: [] };
  for (const name of ['nets', 'facs'] as const) {
    for (let from = 0; from < lists[name].length; from += ENTRIES_A_TURN) {
      await nextTurn();
      const part = { nets: [], facs: [], [name]: lists[name].slice(from, from + ENTRIES_A_TURN) };
      const { nets, facs } = freezeDeep(peeringIndexSchema.parse(part));
      index.nets.push(...nets);
      index.facs.push(...facs);
    }
  }
  return freezeDeep(index);
}

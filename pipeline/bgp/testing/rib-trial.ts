import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import type { Container, OpenFile } from '../../feeds/feed.js';
import { Tally } from '../../feeds/tally.js';
import type { Rib } from '../rib.js';
import { readRib } from '../rib-source.js';

/** Dumps by name below `rib/`, as a night has them. */
export function filesOf(t: Test, dumps: Readonly<Record<string, Buffer>>): OpenFile[] {
  const dir = t.testdir({});
  return Object.entries(dumps).map(([name, bytes]) => {
    const path = join(dir, 'rib', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return openDump(path, name);
  });
}

/** A dump on disk. */
export function openDump(path: string, name: string, onRead: OpenFile['onRead'] = () => undefined): OpenFile {
  const container = name.slice(name.lastIndexOf('.') + 1) as Container;
  return { id: `rib/${name}`, folder: 'rib', name, container, path, sizeBytes: statSync(path).size, onRead };
}

/** A RIB, what became of the records by name of the dump, and what was told meanwhile. */
export interface RibTrial {
  readonly rib: Rib;
  readonly tallies: Readonly<Record<string, Tally>>;
  readonly told: readonly string[];
}

/** Reads dumps as the source does. */
export async function tryRib(files: readonly OpenFile[], now?: Date): Promise<RibTrial> {
  const tallies: Record<string, Tally> = {};
  const told: string[] = [];
  const rib = await readRib(files, {
    tallyOf: ({ name }) => (tallies[name] ??= new Tally()),
    log: (line) => told.push(line),
    ...(now && { now }),
  });
  return { rib, tallies, told };
}

import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import type { Container, OpenFile } from '../../input/published-source.js';
import { Tally } from '../../input/tally.js';
import type { Rib } from '../rib.js';
import { readRib } from '../rib-source.js';

/** Writes dumps by name below `rib/`, the layout of the feed folder. */
export function filesOf(t: Test, dumps: Readonly<Record<string, Buffer>>): OpenFile[] {
  const dir = t.testdir({});
  return Object.entries(dumps).map(([name, bytes]) => {
    const path = join(dir, 'rib', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return openDump(path, name);
  });
}

/** Opens a dump on disk. */
export function openDump(path: string, name: string, onRead: OpenFile['onRead'] = () => undefined): OpenFile {
  const container = name.slice(name.lastIndexOf('.') + 1) as Container;
  const sizeBytes = statSync(path).size;
  return {
    id: `rib/${name}`,
    folder: 'rib',
    name,
    container,
    path,
    sizeBytes,
    maxUnpackedBytes: Infinity,
    onRead,
  };
}

/** A RIB, the tallies by name of the dump, and the log lines. */
export interface RibTrial {
  readonly rib: Rib;
  readonly tallies: Readonly<Record<string, Tally>>;
  readonly logged: readonly string[];
}

/** Reads dumps as the RIB source does. */
export async function tryRib(files: readonly OpenFile[], now?: Date): Promise<RibTrial> {
  const tallies: Record<string, Tally> = {};
  const logged: string[] = [];
  const rib = await readRib(files, {
    tallyOf: ({ name }) => (tallies[name] ??= new Tally()),
    log: (line) => logged.push(line),
    ...(now && { now }),
  });
  return { rib, tallies, logged };
}

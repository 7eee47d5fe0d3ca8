/** Test files that run in one process. */
export interface TestGroup {
  /** Name of the process in the report, such as `server-blackbox-1`. */
  readonly name: string;
  /** Paths in dist/, such as `server/blackbox/batch.test.js`. */
  readonly files: readonly string[];
}

/** The slowest folders, slowest first. They start first, because the last processes should be short ones. */
const SLOWEST = ['pipeline/cli', 'server/blackbox', 'pipeline/bgp', 'fixtures/generate', 'pipeline/jobs'];

/** Files of a slow folder that share a process, at most: short processes divide evenly between two processors. */
const SLOW_AT_MOST = 12;

/** Files of other folders that share a process, at most. */
const FILES_AT_MOST = 36;

/**
 * Divides test files into groups, in the order in which they start. Every file is in exactly one group: a slow folder
 * has groups of its own, the other folders of `pipeline` share groups, and so do those of `server`. Files of a group
 * run in one process: a file restores what it changes there, such as a variable or the current folder.
 */
export function groupsOf(files: readonly string[]): TestGroup[] {
  const rooms = new Map<string, string[]>();
  for (const file of [...files].sort()) {
    const room = roomOf(file);
    rooms.set(room, [...(rooms.get(room) ?? []), file]);
  }
  return [...rooms]
    .sort(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
    .flatMap(([room, files]) => divide(room, files));
}

/** `server/whois/rdap/x.test.js` belongs to `server`, `server/blackbox/x.test.js` to the slow `server/blackbox`. */
function roomOf(file: string): string {
  return SLOWEST.find((slow) => file.startsWith(`${slow}/`)) ?? file.slice(0, file.indexOf('/'));
}

function rankOf(room: string): number {
  const rank = SLOWEST.indexOf(room);
  return rank < 0 ? SLOWEST.length : rank;
}

function divide(room: string, files: readonly string[]): TestGroup[] {
  const name = room.replaceAll('/', '-');
  const parts = Math.ceil(files.length / (SLOWEST.includes(room) ? SLOW_AT_MOST : FILES_AT_MOST));
  if (parts === 1) return [{ name, files }];
  return Array.from({ length: parts }, (_, part) => ({
    name: `${name}-${part + 1}`,
    files: files.filter((_, i) => i % parts === part),
  }));
}

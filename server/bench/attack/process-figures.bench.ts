import { existsSync, readFileSync, readlinkSync } from 'node:fs';

// Reads /proc: the attacks run on Linux only.

/** Returns a process and its children. */
export function familyOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(path)) return [];
  const children = readFileSync(path, 'utf8')
    .split(' ')
    .filter((text) => text.trim() !== '');
  return [pid, ...children.map(Number)];
}

/** Returns whether a process runs and is Node: the private Redis is a child of the server as well. */
export function isNode(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) === process.execPath;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** Returns whether a process runs for a folder: as a server of its releases, or as a Redis in it. */
export function isIn(pid: number, folder: string): boolean {
  try {
    const isOfServer = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`OUTPUT=${folder}`);
    return isOfServer || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** Returns the CPU time of a process so far. Its resolution is 10 ms. */
export function cpuMsOf(pid: number): number {
  try {
    // After the name in parentheses; user and system time are fields 14 and 15, in ticks of 10 ms.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  }
}

/** Returns the peak resident memory of a process so far, in MB of 10^6 bytes. */
export function peakRssMbOf(pid: number): number {
  try {
    const [, kib = '0'] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kib) * 1024) / 1e6;
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
}

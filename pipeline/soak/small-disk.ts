import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file system of its own for the output folder, which can be filled up. */
export class SmallDisk {
  private constructor(readonly dir: string) {}

  /**
   * Mounts an ext4 image of 256 MB in the folder, or finds it mounted. Returns undefined where that is not permitted:
   * it needs root and a loop device.
   */
  static mount(dir: string): SmallDisk | undefined {
    const image = `${dir}.img`;
    mkdirSync(dir, { recursive: true });
    if (isMountPoint(dir)) return new SmallDisk(dir);
    try {
      if (!existsSync(image)) {
        writeFileSync(image, '');
        truncateSync(image, IMAGE_BYTES);
        run('mkfs.ext4', '-q', '-F', image);
      }
      run('mount', '-o', 'loop', image, dir);
      return new SmallDisk(dir);
    } catch {
      // Not root, no loop device, or no mkfs: the soak runs without full disks.
      rmSync(image, { force: true });
      return undefined;
    }
  }

  /** Unmounts the disk of a folder, if it is mounted, and removes its image. */
  static remove(dir: string): void {
    if (isMountPoint(dir)) run('umount', '--lazy', dir);
    rmSync(`${dir}.img`, { force: true });
  }

  /** Unmounts the disk; its content stays in the image. */
  unmount(): void {
    run('umount', '--lazy', this.dir);
  }

  /** Fills the disk up, except for some bytes. */
  fill(freeBytes: number): void {
    const { bavail, bsize } = statfsSync(this.dir);
    const fillBytes = Math.max(0, bavail * bsize - freeBytes);
    run('fallocate', '-l', String(Math.max(1, fillBytes)), this.#filler());
  }

  /** Frees the bytes of `fill`. */
  empty(): void {
    rmSync(this.#filler(), { force: true });
  }

  #filler(): string {
    return join(this.dir, 'filler');
  }
}

const IMAGE_BYTES = 256 << 20;

function isMountPoint(dir: string): boolean {
  try {
    run('mountpoint', '-q', dir);
    return true;
  } catch {
    return false;
  }
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: 'ignore' });
}

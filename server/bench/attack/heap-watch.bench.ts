import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Loaded into the processes of an attacked server: writes the peak of the used heap, in MB, to a file per process. */
const dir = process.env['HEAP_WATCH_DIR'];
if (dir !== undefined) {
  mkdirSync(dir, { recursive: true });
  let peakMb = 0;
  setInterval(() => {
    const usedMb = process.memoryUsage().heapUsed / 1e6;
    if (usedMb < peakMb * 1.02) return;
    peakMb = usedMb;
    writeFileSync(join(dir, String(process.pid)), peakMb.toFixed(1));
  }, 50).unref();
}

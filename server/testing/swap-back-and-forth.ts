import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Points `current` to the releases in turn, `times` times, and waits each time until the release is served. */
export async function swapBackAndForth(
  { url, outputDir }: { readonly url: string; readonly outputDir: string },
  ids: readonly string[],
  times: number,
): Promise<void> {
  for (let i = 0; i < times; i++) {
    const id = ids[i % ids.length]!;
    const fresh = join(outputDir, 'current.new');
    symlinkSync(`releases/${id}`, fresh);
    renameSync(fresh, join(outputDir, 'current'));
    while ((await releaseOf(url)) !== id) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns the release id in /readyz. */
async function releaseOf(url: string): Promise<string | null> {
  const { release } = (await (await fetch(`${url}/readyz`)).json()) as { readonly release: string | null };
  return release;
}

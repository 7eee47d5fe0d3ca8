import { gazetteerEdition, EDITIONS, type EditionName } from '../ingest/cache-paths.js';
import type { GazetteerResult } from '../ingest/gazetteer.js';
import type { IngestResult } from '../ingest/ingest-source.js';
import type { ManifestInput } from '../release/contract.js';
import { atMost } from '../store/at-most.js';
import { KeptFolder } from '../store/kept-folder.js';
import type { StageContext } from '../stage/stage.js';

/** Where a job finds kept folders. */
type Where = Pick<StageContext, 'settings' | 'remote'>;

/** The result of an ingest job with the folder of its content on this machine; without `kept` no file was usable. */
export interface LocatedIngest {
  readonly input: ManifestInput;
  readonly kept?: { readonly dir: string };
}

/** Finds the content of ingest jobs on this machine, or downloads it. Throws StoreError if it is missing. */
export async function locateIngests(
  ingests: readonly IngestResult[],
  where: Where,
): Promise<LocatedIngest[]> {
  const located = new Map<IngestResult, LocatedIngest>();
  await atMost(FOLDERS_AT_ONCE, ingests, async (ingest) => {
    const { input, kept } = ingest;
    located.set(ingest, kept ? { input, kept: { dir: await requireKept(kept.folder, where) } } : { input });
  });
  return ingests.map((ingest) => located.get(ingest)!);
}

/** Finds the editions of the gazetteer on this machine and returns their paths; undefined without a gazetteer. */
export async function locateEditions(
  { editions }: GazetteerResult,
  where: Where,
): Promise<Readonly<Record<EditionName, string>> | undefined> {
  if (!editions) return undefined;
  const paths: [EditionName, string][] = [];
  for (const name of EDITIONS) {
    paths.push([name, gazetteerEdition(await requireKept(editions[name].folder, where), name)]);
  }
  return Object.fromEntries(paths) as Record<EditionName, string>;
}

function requireKept(name: string, { settings, remote }: Where): Promise<string> {
  return new KeptFolder(settings.outputDir, name, remote).require();
}

const FOLDERS_AT_ONCE = 4;

import { readPlain } from '../../input/containers/containers.js';
import type { ClaimSink } from '../../input/claims/claim-sink.js';
import { matchesName } from '../../input/name-pattern.js';
import type { OpenFile, PublishedFile } from '../../input/published-source.js';
import { readEach } from '../../input/read-each.js';
import { GeofeedReferences } from '../../input/registrations/geofeed-blocks.js';
import {
  FOUND_GEOFEEDS,
  foundGeofeedName,
  listedGeofeedName,
} from '../../input/registrations/geofeed-url.js';
import {
  readReferences,
  REFERENCE_FILES,
  REFERENCE_FOLDER,
} from '../../input/registrations/read-references.js';
import { readGeofeed } from './geofeeds.js';
import { ListedSink } from './listed-sink.js';
import { OwnBlocks } from './own-blocks.js';
import { OwnershipSink } from './ownership-sink.js';

/** Maximum size of a geofeed that registrations name. The largest real ones have 5 MB. */
export const FOUND_GEOFEED_BYTES = 10_000_000;

const LISTED: PublishedFile = {
  ...optional('geofeeds/*.csv'),
  tolerance: 0.2,
  maxUnpackedBytes: 50_000_000,
};

/** Rows are rejected one by one: the download has refused files that are no geofeeds. */
const FOUND: PublishedFile = {
  ...optional(`${FOUND_GEOFEEDS}/*.csv`),
  tolerance: 1,
  maxUnpackedBytes: FOUND_GEOFEED_BYTES,
};

/** Geofeeds that the operator lists, the references of registrations, and the geofeeds that these name. */
export const GEOFEED_FILES: readonly PublishedFile[] = [LISTED, ...REFERENCE_FILES, FOUND];

/**
 * Reads geofeeds. A file that the operator lists states the location of all its prefixes. A file that was found through
 * registrations does so only inside the blocks whose registration names it (RFC 9632 §3); other rows are observations,
 * counted with the notes `not-referenced` and `partly-referenced`. Listed files with a reference get the same notes.
 */
export async function readGeofeedFiles(
  files: readonly OpenFile[],
  sinkFor: (file: OpenFile) => ClaimSink,
): Promise<void> {
  if (files.length === 0) return;
  const references = new GeofeedReferences();
  const ordered = [...files].sort((a, b) => Number(isReference(b)) - Number(isReference(a)));
  let blocks: ((file: OpenFile) => OwnBlocks) | undefined;
  await readEach('own', ordered, async (file) => {
    const sink = sinkFor(file);
    if (isReference(file)) return readReferences(file, references, sink);
    const own = (blocks ??= blocksByName(references))(file);
    if (matchesName(LISTED.name, file.name)) {
      return readGeofeed(file, readPlain(file), new ListedSink(sink, own));
    }
    const owned = new OwnershipSink(sink, own);
    await readGeofeed(file, readPlain(file), owned);
    owned.end();
  });
}

/** Returns a function that finds the blocks of a file by its name, which identifies its URL. */
function blocksByName(references: GeofeedReferences): (file: OpenFile) => OwnBlocks {
  const { table, urls } = references.blocks();
  const numbers = new Map(
    urls.flatMap((url, number) => [
      [foundGeofeedName(url), number],
      [listedGeofeedName(url), number],
    ]),
  );
  return ({ name }) => new OwnBlocks(table, numbers.get(name));
}

function isReference({ folder }: OpenFile): boolean {
  return folder === REFERENCE_FOLDER;
}

function optional(name: string) {
  return { folder: 'own', name, container: 'plain', required: false, take: 'all' } as const;
}

import { z } from 'zod';
import { readClaimTable } from '../input/claims/claim-table-file.js';
import { CLAIM_FORMAT } from '../input/claims/claim.js';
import { ClaimLookup } from '../evaluate/claim-lookup.js';
import { SCORECARD_VERSION, scorecardOf } from '../evaluate/scorecard.js';
import { casesOf, type Case } from '../evaluate/statements.js';
import type { Gazetteer } from '../gazetteer/gazetteer.js';
import { tableIn } from '../ingest/feed-reader.js';
import { leastRegionWeightOf } from '../merge/merge-part.js';
import { scorecardSchema } from '../release/scorecard.js';
import { feedById } from '../snapshot/sources.js';
import type { Stage, StageContext } from '../stage/stage.js';
import { readUnstated } from './geo-claims.js';
import { claimedFeedsOf, geoInputsOf, loadGazetteer, type ClaimedFeed } from './geo-inputs.js';
import { keptResult, requireKept } from './kept-result.js';
import { locateIngests } from './located.js';

/** The accuracy against the statements of operators; absent without any. */
export const scoreResultSchema = z.strictObject({ scorecard: scorecardSchema.exactOptional() });

/** Compares what the merge decides without the statements of operators with these statements. */
export const scoreGeo: Stage = async (_input, context): Promise<z.infer<typeof scoreResultSchema>> => {
  const feeds = claimedFeedsOf(context);
  const { gazetteer } = geoInputsOf(context);
  const { result } = await keptResult(
    {
      name: 'score',
      made: [
        `scorecard ${SCORECARD_VERSION}`,
        `gazetteer ${gazetteer.editions?.full.key ?? 'none'}`,
        ...feeds.map(({ feed, made }) => `${feed} ${made.claims.key}`),
      ],
      result: scoreResultSchema,
      write: async () => {
        context.progress({ text: 'comparing with the statements of operators' });
        const places = await loadGazetteer(gazetteer, 'served', context);
        const cases = await statedCases(feeds, places, context);
        const leastRegionWeight = leastRegionWeightOf(new Set(feeds.map(({ feed }) => feed)));
        const scorecard = scorecardOf(cases, places, leastRegionWeight);
        return scorecard ? { scorecard } : {};
      },
    },
    context,
  );
  return result;
};

/** Returns a case for each network whose operator states its place in one of the feeds. */
async function statedCases(
  feeds: readonly ClaimedFeed[],
  gazetteer: Gazetteer,
  context: StageContext,
): Promise<Case[]> {
  const others = [];
  for (const { feed, made } of feeds) {
    const dir = await requireKept(made.claims.folder, context);
    others.push(readUnstated({ feed, dir, isOpen: made.isOpen }, hasStatements(feed)));
  }
  const lookup = new ClaimLookup(others);
  const stating = feeds.filter(({ feed }) => hasStatements(feed)).map(({ feed }) => feed as string);
  const { ingests } = geoInputsOf(context);
  const located = await locateIngests(
    ingests.filter(({ input }) => stating.includes(input.feed)),
    context,
  );
  return located.flatMap(({ kept }) => {
    return kept ? casesOf(readClaimTable(tableIn(kept.dir), CLAIM_FORMAT), lookup, gazetteer) : [];
  });
}

function hasStatements(feed: string): boolean {
  return feedById(feed).combineUnstated !== undefined;
}

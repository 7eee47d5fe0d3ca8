import type { StageRegistry } from '../stage/stage.js';

/** The stages of a build. Each is loaded by the thread that runs it. */
export const STAGES: StageRegistry = {
  fetch: async () => (await import('../snapshot/take-snapshot.js')).fetchSource,
  gazetteer: async () => (await import('../ingest/gazetteer.js')).makeGazetteer,
  ingest: async () => (await import('../ingest/ingest-source.js')).ingestSource,
  find: async () => (await import('../datasets/compile-geo.js')).findGeo,
  verdicts: async () => (await import('../datasets/geo-verdicts.js')).writeVerdicts,
  merge: async () => (await import('../datasets/geo-merge.js')).mergeGeoPart,
  score: async () => (await import('../datasets/geo-score.js')).scoreGeo,
  write: async () => (await import('../datasets/geo-write.js')).writeGeo,
  compile: async () => (await import('../datasets/compile.js')).compile,
  changes: async () => (await import('../publish/find-changes.js')).findChanges,
  publish: async () => (await import('../publish/publish-everywhere.js')).publishEverywhere,
};

import type { StageRegistry } from '../stage/stage.js';

/** The stages of a build. Each is loaded by the thread that runs it. */
export const STAGES: StageRegistry = {
  fetch: async () => (await import('../snapshot/take-snapshot.js')).fetchSource,
  gazetteer: async () => (await import('../ingest/gazetteer.js')).makeGazetteer,
  ingest: async () => (await import('../ingest/ingest-source.js')).ingestSource,
  compile: async () => (await import('../datasets/compile.js')).compile,
  publish: async () => (await import('../publish/publish-everywhere.js')).publishEverywhere,
};

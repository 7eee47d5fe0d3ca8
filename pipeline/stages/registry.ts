import type { StageRegistry } from './stage.js';

/** The stages of a build. Each is loaded by the thread that runs it. */
export const STAGES: StageRegistry = {
  fetch: async () => (await import('./fetch.js')).fetchSource,
  gazetteer: async () => (await import('./gazetteer.js')).makeGazetteer,
  ingest: async () => (await import('./ingest.js')).ingestSource,
  compile: async () => (await import('./compile.js')).compile,
  publish: async () => (await import('./publish.js')).publish,
};

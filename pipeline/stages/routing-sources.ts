import type { Source } from '../feeds/source.js';

/** Sources of routing and registry data, in the order in which people read about them. */
export const ROUTING_SOURCES: readonly Source[] = [];

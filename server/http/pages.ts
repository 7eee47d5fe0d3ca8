import type { Page } from './page.js';

/** What the server can say of its own state. */
export interface Readiness {
  readonly isDraining: boolean;
  /** Id of the release that is served. */
  readonly release: string | undefined;
  /** The newest release that was looked at and not taken. */
  readonly refused: { readonly id?: string; readonly reason: string } | undefined;
  readonly isRedisUp: boolean;
}

/** The process answers. */
export const HEALTH: Page = {
  path: '/healthz',
  operationId: 'health',
  summary: 'Whether the process answers at all.',
  statuses: { '200': 'It does' },
  render: () => ({ status: 200, json: '{"status":"ok"}' }),
};

/**
 * Whether requests should be sent here: 503 while nothing is loaded, and from when the server is told to stop. Without
 * Redis it still answers those who pay nothing, so that is told and takes no server away.
 */
export function readinessPage(readiness: () => Readiness): Page {
  return {
    path: '/readyz',
    operationId: 'readiness',
    summary: 'Which release is served, and whether requests should be sent here.',
    statuses: { '200': 'Ready', '503': 'No release is loaded, or the server is stopping' },
    render: () => {
      const { isDraining, release, refused, isRedisUp } = readiness();
      const isReady = !isDraining && release !== undefined;
      const json = JSON.stringify({
        status: isDraining ? 'stopping' : isReady ? 'ready' : 'no release',
        release: release ?? null,
        refused: refused ?? null,
        redis: isRedisUp ? 'up' : 'down',
      });
      return { status: isReady ? 200 : 503, json };
    },
  };
}

/** The OpenAPI document, which holds its own description too. */
export function openApiPage(document: () => string): Page {
  return {
    path: '/openapi.json',
    operationId: 'openapi',
    summary: 'This document.',
    statuses: { '200': 'OpenAPI 3.1' },
    render: () => ({ status: 200, json: document() }),
  };
}

import type { PageText } from '../openapi/openapi-document.js';
import type { Page } from './mount-routes.js';

/** What the server can say of its own state. */
export interface Readiness {
  readonly isDraining: boolean;
  /** Id of the release that is served. */
  readonly release: string | undefined;
  /** The newest release that was looked at and not taken. */
  readonly refused: { readonly id?: string; readonly reason: string } | undefined;
  readonly isRedisUp: boolean;
}

/** A page with its text in the OpenAPI document. */
export type DescribedPage = Page & PageText;

/** The process answers. */
export const HEALTH: DescribedPage = {
  path: '/healthz',
  operationId: 'health',
  summary: 'Whether the process answers at all.',
  statuses: { '200': 'It does' },
  render: () => Promise.resolve({ status: 200, json: '{"status":"ok"}' }),
};

/**
 * Whether requests should be sent here: 503 while nothing is loaded, and from when the server is told to stop. Without
 * Redis it still answers those who pay nothing, so that is told and takes no server away.
 */
export function readinessPage(readiness: () => Readiness): DescribedPage {
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
      return Promise.resolve({ status: isReady ? 200 : 503, json });
    },
  };
}

/** The OpenAPI document, which holds its own description too. */
export function openApiPage(document: () => string): DescribedPage {
  return {
    path: '/openapi.json',
    operationId: 'openapi',
    summary: 'This document.',
    statuses: { '200': 'OpenAPI 3.1' },
    render: () => Promise.resolve({ status: 200, json: document() }),
  };
}

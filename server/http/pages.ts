/** A path besides the endpoints: health and documents. */
export interface Page {
  readonly path: string;
  readonly operationId: string;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  /** Descriptions of its HTTP statuses. */
  readonly statuses: Readonly<Record<string, string>>;
  /** Whether `render` always gives the same text. Such a page is compressed once and has an ETag (decision 62). */
  readonly isFixed?: true;
  /** Returns HTTP status and JSON text. */
  readonly render: () => { readonly status: number; readonly json: string };
}

/** The state of the server. */
export interface Readiness {
  readonly isDraining: boolean;
  /** Id of the current release. */
  readonly release: string | undefined;
  /** The newest release, when it was refused. */
  readonly refused: { readonly id?: string; readonly reason: string } | undefined;
  readonly isRedisUp: boolean;
}

/** Liveness: the process answers. */
export const HEALTH: Page = {
  path: '/healthz',
  operationId: 'health',
  summary: 'Liveness of the process.',
  statuses: { '200': 'Alive' },
  render: () => ({ status: 200, json: '{"status":"ok"}' }),
};

/**
 * Returns the readiness page: 503 while no release is loaded and while the server is stopping. The state of Redis is
 * reported but does not affect readiness, because calls without credits are answered without Redis. The reason of a
 * refused release names files of the server: it is in the log and the metrics only (decision 63).
 */
export function readinessPage(readiness: () => Readiness): Page {
  return {
    path: '/readyz',
    operationId: 'readiness',
    summary: 'Readiness for requests, and the current release.',
    statuses: { '200': 'Ready', '503': 'No release is loaded, or the server is stopping' },
    render: () => {
      const { isDraining, release, refused, isRedisUp } = readiness();
      const isReady = !isDraining && release !== undefined;
      const json = JSON.stringify({
        status: isDraining ? 'stopping' : isReady ? 'ready' : 'no release',
        release: release ?? null,
        refused: refused === undefined ? null : { id: refused.id ?? null },
        redis: isRedisUp ? 'up' : 'down',
      });
      return { status: isReady ? 200 : 503, json };
    },
  };
}

/** Returns the page with the OpenAPI document. */
export function openApiPage(document: () => string): Page {
  return {
    path: '/openapi.json',
    operationId: 'openapi',
    summary: 'This document.',
    statuses: { '200': 'OpenAPI 3.1', '304': 'The document has not changed' },
    isFixed: true,
    render: () => ({ status: 200, json: document() }),
  };
}

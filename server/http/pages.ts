import { z } from 'zod';

/** A path besides the endpoints: health and documents. */
export interface Page {
  readonly path: string;
  readonly operationId: string;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  /** Descriptions of its HTTP statuses. */
  readonly statuses: Readonly<Record<string, string>>;
  /** The JSON of `render`, and an example of it. */
  readonly body: z.ZodType;
  readonly example: unknown;
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
  body: z.strictObject({ status: z.literal('ok').describe('Always `ok`') }).meta({ id: 'Health' }),
  example: { status: 'ok' },
  render: () => ({ status: 200, json: '{"status":"ok"}' }),
};

const EXAMPLE_RELEASE = '20261122T181021Z-d4d6ca181aea';

const READINESS = z
  .strictObject({
    status: z.enum(['ready', 'no release', 'stopping']).describe('`ready` with HTTP 200'),
    release: z.string().nullable().describe('Id of the current release'),
    refused: z
      .strictObject({ id: z.string().nullable().describe('Id of the refused release') })
      .nullable()
      .describe('The newest release, when it was refused'),
    redis: z.enum(['up', 'down']).describe('Whether accounts can be checked'),
  })
  .meta({ id: 'Readiness' });

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
    body: READINESS,
    example: { status: 'ready', release: EXAMPLE_RELEASE, refused: null, redis: 'up' },
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
    body: z.looseObject({ openapi: z.string().describe('Version of OpenAPI') }).meta({ id: 'OpenApi' }),
    example: { openapi: '3.1.0' },
    isFixed: true,
    render: () => ({ status: 200, json: document() }),
  };
}

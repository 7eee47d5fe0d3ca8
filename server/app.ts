import Koa from 'koa';
import type { RequestListener } from 'node:http';
import { HEALTH, openApiPage, readinessPage, type Readiness } from './http/pages.js';
import { mountRoutes, type MountParts } from './http/mount-routes.js';
import type { Page } from './http/pages.js';
import type { Route } from './http/route.js';
import { requestListener } from './http/request-listener.js';
import { openApiDocument } from './openapi/openapi-document.js';

/** The parts of the application. */
export interface AppParts extends MountParts {
  readonly routes: readonly Route[];
  /** Endpoints of other protocols. The OpenAPI document describes them by hand. */
  readonly unlisted?: readonly Route[];
  readonly readiness: () => Readiness;
  /** Receives errors outside any answer, such as broken connections of requests that Koa handles. */
  readonly onStray: (error: unknown) => void;
}

/** Creates the request listener with all routes and pages. */
export function newApp(parts: AppParts): RequestListener {
  const { routes, unlisted = [] } = parts;
  const pages: readonly Page[] = [
    HEALTH,
    readinessPage(parts.readiness),
    openApiPage(() => JSON.stringify(openApiDocument(routes, pages))),
  ];
  const mount = mountRoutes(parts, { routes: [...routes, ...unlisted], pages });
  return requestListener(new Koa(), mount, parts.onStray);
}

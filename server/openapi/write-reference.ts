import { writeFileSync } from 'node:fs';
import { HEALTH, openApiPage, readinessPage } from '../http/pages.js';
import type { Parts } from '../parts.js';
import { routesOf } from '../routes/catalogue.js';
import { openApiDocument } from './openapi-document.js';
import { renderReference, type ReferenceDocument } from './render-reference.js';

/** Writes `server/api.md`: `node dist/server/openapi/write-reference.js`, or `make reference`. */
const readiness = readinessPage(() => ({
  isDraining: false,
  release: undefined,
  refused: undefined,
  isRedisUp: true,
}));
// Routes use their parts only when they answer.
const routes = routesOf({} as Parts);
const document = openApiDocument(routes, [HEALTH, readiness, openApiPage(() => '')]);
writeFileSync('server/api.md', renderReference(document as unknown as ReferenceDocument));

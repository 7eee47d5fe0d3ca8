import type { Page } from '../http/pages.js';
import { documentedPath, type Route } from '../http/route.js';
import { componentsOf } from './components.js';
import { DESCRIPTION } from './description.js';
import { EXAMPLES } from './examples.js';
import { MCP_PATH, MCP_TAG, mcpOperation } from './mcp-operation.js';
import { NamedSchemas, type Json } from './named-schemas.js';
import { answersOf, pageAnswersOf } from './operation-answers.js';
import { describeTerms, securityOf, termsOf } from './operation-terms.js';
import { tagsOf } from './tags.js';

const PAGES_TAG = 'Operation';

/** Builds the OpenAPI 3.1 document from the schemas that validate requests and answers. */
export function openApiDocument(routes: readonly Route[], pages: readonly Page[]): Json {
  const schemas = new NamedSchemas();
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes)
    (paths[documentedPath(route.paths[0])] ??= {})[route.method] = operationOf(route, schemas);
  paths[MCP_PATH] = { post: mcpOperation(schemas) };
  for (const page of pages) paths[page.path] = { get: pageOperation(page, schemas) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'ipatlas',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'Proprietary', url: 'https://spdx.org/licenses/LicenseRef-Proprietary' },
    },
    servers: [{ url: '/' }],
    tags: tagsOf([...routes.map(({ tag }) => tag), MCP_TAG, PAGES_TAG]),
    paths,
    components: componentsOf(paths, schemas.components),
  };
}

function operationOf(route: Route, schemas: NamedSchemas): Json {
  const { operationId, tag, summary, terms, body } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    description: describeTerms(terms),
    ...termsOf(route),
    security: securityOf(terms),
    parameters: [...pathParametersOf(route, schemas), ...parametersOf(schemas.ofInput(route.query), 'query')],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: schemas.ofInput(body),
                example: EXAMPLES[operationId]?.body,
              },
            },
          },
        }),
    responses: answersOf(route, schemas),
  };
}

function pageOperation(page: Page, schemas: NamedSchemas): Json {
  const { operationId, summary } = page;
  return {
    operationId,
    tags: [PAGES_TAG],
    summary,
    security: [{}],
    responses: pageAnswersOf(page, schemas),
  };
}

/** Parameters of the documented path; other paths of a route may have more. */
function pathParametersOf({ params, paths }: Route, schemas: NamedSchemas): Json[] {
  const documented = paths[0].split('/');
  return parametersOf(schemas.ofInput(params), 'path').filter(({ name }) =>
    documented.includes(`:${String(name)}`),
  );
}

function parametersOf(schema: Json, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: property,
    // A list is one comma-separated value.
    ...(property['type'] === 'array' ? { explode: false } : {}),
  }));
}

import { z } from 'zod';
import type { Page } from '../http/page.js';
import { documentedPath, type AnswerShape, type Route } from '../http/route.js';
import { COMPONENTS, headerReferences, limitHeaders } from './components.js';

/** JSON as OpenAPI 3.1 and JSON Schema 2020-12 have it. */
export type Json = { readonly [key: string]: unknown };

/** The whole interface as an OpenAPI 3.1 document, made of the schemas that requests pass through. */
export function openApiDocument(routes: readonly Route[], pages: readonly Page[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes)
    (paths[documentedPath(route.paths[0])] ??= {})[route.method] = operationOf(route);
  for (const page of pages) paths[page.path] = { get: pageOperation(page) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'ipatlas',
      version: '1.0.0',
      description:
        'IP geolocation, BGP and ASN data, and dataset downloads. Business errors come with HTTP 200: test `code === 0`.',
      license: { name: 'Proprietary', url: 'https://spdx.org/licenses/LicenseRef-Proprietary' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set([...routes.map(({ tag }) => tag), 'Operation'])].map((name) => ({ name })),
    paths,
    components: COMPONENTS,
  };
}

function operationOf(route: Route): Json {
  const { operationId, tag, summary, terms, body } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    description: describeTerms(terms),
    security: securityOf(terms),
    parameters: [...pathParametersOf(route), ...parametersOf(route.query, 'query')],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(body, 'input') } },
          },
        }),
    responses: { '200': success(route), ...failuresOf(route) },
  };
}

function describeTerms(terms: Route['terms']): string {
  switch (terms.kind) {
    case 'keyless':
      return 'Takes no key; requests per minute and source address.';
    case 'account':
      return 'Needs a key; counts against its minute alone.';
    case 'download':
      return 'Needs a key of the enterprise plan; metered per dataset.';
    case 'metered': {
      const credits = typeof terms.credits === 'number' ? String(terms.credits) : 'Its';
      return `${terms.key === 'required' ? 'Needs a key.' : 'Works without a key too.'} Credits with a key: ${credits}.`;
    }
  }
}

function securityOf(terms: Route['terms']): Json[] {
  if (terms.kind === 'keyless') return [{}];
  const keys = [{ bearer: [] }, { token: [] }];
  return terms.kind === 'metered' && terms.key === 'optional' ? [{}, ...keys] : keys;
}

/** Those of the documented path; other paths of a route may have more. */
function pathParametersOf({ params, paths }: Route): Json[] {
  const documented = paths[0].split('/');
  return parametersOf(params, 'path').filter(({ name }) => documented.includes(`:${String(name)}`));
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: property,
  }));
}

/** Without the dialect, which the document itself names by its version. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const json: Record<string, unknown> = { ...z.toJSONSchema(schema, { io, unrepresentable: 'any' }) };
  delete json['$schema'];
  return json;
}

function success({ shape, ownHeaders = [] }: Route): Json {
  return {
    description: 'Success, or a business error by its code',
    headers: { ...limitHeaders(), ...headerReferences(ownHeaders) },
    content: contentOf(shape),
  };
}

const FAILURE = { $ref: '#/components/schemas/Failure' };

function contentOf(shape: AnswerShape): Json {
  switch (shape.kind) {
    case 'envelope': {
      const properties = { code: { type: 'integer', const: 0 }, data: schemaOf(shape.data, 'output') };
      const envelope = {
        type: 'object',
        properties,
        required: ['code', 'data'],
        additionalProperties: false,
      };
      return { 'application/json': { schema: { anyOf: [envelope, FAILURE] } } };
    }
    case 'bare':
      return {
        'application/json': { schema: { anyOf: [schemaOf(shape.body, 'output'), FAILURE] } },
        ...(shape.text === undefined ? {} : plainText(shape.text)),
      };
    case 'text':
      return plainText(shape.text);
    case 'file':
      return { 'application/octet-stream': {}, 'application/json': { schema: FAILURE } };
  }
}

function plainText(text: z.ZodType): Json {
  return { 'text/plain': { schema: schemaOf(text, 'output') } };
}

/** Statuses of failures that a route can have. */
function failuresOf({ terms, shape, body }: Route): Json {
  const statuses = [
    ...(terms.kind === 'metered' ? ['402'] : []),
    ...(body === undefined ? [] : ['413']),
    ...['405', '429', '500', '502', '503', '504'],
  ];
  const kind = shape.kind === 'text' ? 'Text' : '';
  const failures = statuses.map((status) => [status, { $ref: `#/components/responses/${kind}${status}` }]);
  const partial = {
    description: 'Part of the file',
    headers: limitHeaders(),
    content: { 'application/octet-stream': {} },
  };
  const nothing = (description: string) => ({ description, headers: limitHeaders() });
  return {
    ...(shape.kind === 'file'
      ? { '206': partial, '304': nothing('The file is the one you have'), '416': nothing('No such part') }
      : {}),
    ...(Object.fromEntries(failures) as Json),
  };
}

function pageOperation({ operationId, summary, statuses }: Page): Json {
  const content = { 'application/json': { schema: { type: 'object' } } };
  const responses = Object.entries(statuses).map(([status, description]) => [
    status,
    { description, headers: limitHeaders(), content },
  ]);
  return {
    operationId,
    tags: ['Operation'],
    summary,
    security: [{}],
    responses: Object.fromEntries(responses) as Json,
  };
}

import { z } from 'zod';
import type { Page } from '../http/pages.js';
import { documentedPath, type AnswerShape, type Route } from '../http/route.js';
import { EXAMPLES } from './examples.js';
import { COMPONENTS, headerReferences, limitHeaders } from './components.js';

/** A JSON object of OpenAPI 3.1 or JSON Schema 2020-12. */
export type Json = { readonly [key: string]: unknown };

/** Builds the OpenAPI 3.1 document from the schemas that validate requests and answers. */
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
        'IP geolocation, BGP and ASN data, Whois, DNS, TCP probes and dataset downloads. Business errors come with HTTP 200: test `code === 0`.',
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
    ...termsOf(route),
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
    responses: { '200': success(route), ...failuresOf(route), ...statusesOf(route) },
  };
}

/** Key, price, limit and errors for programs, and for `server/api.md`. */
function termsOf({ terms, errors }: Route): Json {
  switch (terms.kind) {
    case 'keyless':
      return { 'x-key': 'none', 'x-credits': 0, 'x-bucket': terms.bucket, 'x-errors': { ...errors } };
    case 'account':
      return {
        'x-key': 'required',
        'x-credits': 0,
        'x-bucket': 'plan',
        'x-errors': { 401: NO_KEY, ...errors },
      };
    case 'download': {
      const own = {
        401: NO_KEY,
        403: NO_PLAN,
        ...errors,
        429: 'The download limit is reached',
      };
      return { 'x-key': 'enterprise', 'x-credits': 0, 'x-bucket': 'plan', 'x-errors': own };
    }
    case 'metered': {
      const { key, credits, describeCredits } = terms;
      const price = typeof credits === 'number' ? credits : describeCredits;
      const all = { ...(key === 'required' ? { 401: NO_KEY } : {}), ...errors };
      return { 'x-key': key, 'x-credits': price, 'x-bucket': 'plan', 'x-errors': all };
    }
  }
}

const NO_KEY = 'There is no valid key';
const NO_PLAN = 'The plan has no downloads';

function describeTerms(terms: Route['terms']): string {
  switch (terms.kind) {
    case 'keyless':
      return 'Takes no key; limited by source address.';
    case 'account':
      return 'Requires a key; uses up its minute limit only.';
    case 'download':
      return terms.login === 'basic'
        ? 'Requires the number of an account and a key of the enterprise plan. Errors are HTTP statuses with a line of text.'
        : 'Requires a key of the enterprise plan; metered per dataset.';
    case 'metered': {
      const credits =
        typeof terms.credits === 'number' ? String(terms.credits) : (terms.describeCredits ?? '');
      return `${terms.key === 'required' ? 'Requires a key.' : 'The key is optional.'} Credits with a key: ${credits}.`;
    }
  }
}

function securityOf(terms: Route['terms']): Json[] {
  if (terms.kind === 'keyless') return [{}];
  if (terms.kind === 'download' && terms.login === 'basic') return [{ basic: [] }];
  const keys = [{ bearer: [] }, { token: [] }];
  return terms.kind === 'metered' && terms.key === 'optional' ? [{}, ...keys] : keys;
}

/** Parameters of the documented path; other paths of a route may have more. */
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
    // A list is one comma-separated value.
    ...(property['type'] === 'array' ? { explode: false } : {}),
  }));
}

/** Omits `$schema`: the version of the document implies the dialect. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const json: Record<string, unknown> = { ...z.toJSONSchema(schema, { io, unrepresentable: 'any' }) };
  delete json['$schema'];
  return json;
}

function success({ shape, operationId, ownHeaders = [], failsWithStatus = false }: Route): Json {
  return {
    description: failsWithStatus ? 'Success' : 'Success, or a business error with its code',
    headers: { ...limitHeaders(), ...headerReferences(ownHeaders) },
    content: withExample(contentOf(shape, failsWithStatus), EXAMPLES[operationId]?.answer),
  };
}

/** The content with an example of its first type. */
function withExample(content: Json, example: unknown): Json {
  const [[type, first] = ['', {}], ...others] = Object.entries(content);
  if (example === undefined) return content;
  return { [type]: { ...(first as Json), example }, ...Object.fromEntries(others) };
}

const FAILURE = { $ref: '#/components/schemas/Failure' };

function contentOf(shape: AnswerShape, failsWithStatus: boolean): Json {
  switch (shape.kind) {
    case 'envelope': {
      const properties = { code: { type: 'integer', const: 0 }, data: schemaOf(shape.data, 'output') };
      const envelope = {
        type: 'object',
        properties,
        required: ['code', 'data'],
        additionalProperties: false,
      };
      return {
        'application/json': { schema: { anyOf: [envelope, FAILURE] } },
        ...(shape.line === undefined ? {} : ndjson(shape.line)),
        ...(shape.csv === undefined ? {} : { 'text/csv': { schema: { type: 'string' } } }),
      };
    }
    case 'bare':
      if (failsWithStatus) return { 'application/json': { schema: schemaOf(shape.body, 'output') } };
      return {
        'application/json': { schema: { anyOf: [schemaOf(shape.body, 'output'), FAILURE] } },
        ...(shape.text === undefined ? {} : plainText(shape.text)),
      };
    case 'text':
      return plainText(shape.text);
    case 'file':
      if (shape.type !== undefined) return { [shape.type]: {} };
      return { 'application/octet-stream': {}, 'application/json': { schema: FAILURE } };
  }
}

/** The schema is that of a line. */
function ndjson(line: z.ZodType): Json {
  return { 'application/x-ndjson': { schema: schemaOf(line, 'output') } };
}

function plainText(text: z.ZodType): Json {
  return { 'text/plain': { schema: schemaOf(text, 'output') } };
}

/** Statuses of failures that a route can have. */
function failuresOf({ terms, shape, body, failsWithStatus }: Route): Json {
  const statuses = [
    ...(terms.kind === 'metered' ? ['402'] : []),
    ...(body === undefined ? [] : ['408', '413']),
    '405',
    '429',
    '500',
    '502',
    '503',
    '504',
  ];
  const kind = shape.kind === 'text' || failsWithStatus ? 'Text' : '';
  const failures = statuses.map((status) => [status, { $ref: `#/components/responses/${kind}${status}` }]);
  const partial = {
    description: 'Part of the file',
    headers: limitHeaders(),
    content: { 'application/octet-stream': {} },
  };
  const nothing = (description: string) => ({ description, headers: limitHeaders() });
  return {
    ...(shape.kind === 'file' && { '304': nothing('The file has not changed') }),
    ...(shape.kind === 'file' &&
      shape.type === undefined && {
        '206': partial,
        '416': nothing('The range is outside the file'),
      }),
    ...(Object.fromEntries(failures) as Json),
  };
}

/** Failures of a route whose errors are HTTP statuses, besides those of `failuresOf`. */
function statusesOf({ errors = {}, failsWithStatus }: Route): Json {
  if (failsWithStatus !== true) return {};
  const statuses = Object.entries({ 401: NO_KEY, 403: NO_PLAN, ...errors });
  return Object.fromEntries(
    statuses.map(([status, description]) => [
      status,
      {
        description,
        headers: { ...limitHeaders(), ...(status === '401' && headerReferences(['WWW-Authenticate'])) },
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    ]),
  );
}

function pageOperation({ operationId, summary, statuses }: Page): Json {
  const content = { 'application/json': { schema: { type: 'object' } } };
  const responses = Object.entries(statuses).map(([status, description]) => [
    status,
    { description, headers: limitHeaders(), ...(status === '304' ? {} : { content }) },
  ]);
  return {
    operationId,
    tags: ['Operation'],
    summary,
    security: [{}],
    responses: Object.fromEntries(responses) as Json,
  };
}

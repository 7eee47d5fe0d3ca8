import type { z } from 'zod';
import type { Page } from '../http/pages.js';
import type { Route } from '../http/route.js';
import { headerReferences, limitHeaders, responseReference } from './components.js';
import { EXAMPLES } from './examples.js';
import { BUSINESS_CODES, failureExample } from './failure-examples.js';
import type { Json, NamedSchemas } from './named-schemas.js';
import { NO_KEY, NO_PLAN, termsOf } from './operation-terms.js';

/** Returns the answers of an endpoint by HTTP status. */
export function answersOf(route: Route, schemas: NamedSchemas): Json {
  return { '200': success(route, schemas), ...failuresOf(route), ...statusesOf(route) };
}

/** Returns the answers of a page by HTTP status. */
export function pageAnswersOf({ statuses, body, example }: Page, schemas: NamedSchemas): Json {
  const content = { 'application/json': { schema: schemas.ofOutput(body), example } };
  const responses = Object.entries(statuses).map(([status, description]) => [
    status,
    { description, headers: limitHeaders(), ...(status === '304' ? {} : { content }) },
  ]);
  return { ...(Object.fromEntries(responses) as Json), '405': responseReference('405') };
}

function success(route: Route, schemas: NamedSchemas): Json {
  const { ownHeaders = [], failsWithStatus = false } = route;
  return {
    description: failsWithStatus ? 'Success' : 'Success, or a business error with its code',
    headers: { ...limitHeaders(), ...headerReferences(ownHeaders) },
    content: withExamples(contentOf(route, schemas), route),
  };
}

/** Returns the content with an example of the success, and one for each business error. */
function withExamples(content: Json, route: Route): Json {
  const answer = EXAMPLES[route.operationId]?.answer;
  const failures = route.failsWithStatus === true ? [] : businessErrorsOf(route);
  const examples = (isFirst: boolean, isJson: boolean): Json =>
    Object.fromEntries([
      ...(isFirst && answer !== undefined ? [['success', { summary: 'Success', value: answer }]] : []),
      ...(isJson ? failures : []),
    ]) as Json;
  const media = Object.entries(content).map(([type, media], at) => {
    const own = examples(at === 0, type === 'application/json');
    return [type, Object.keys(own).length === 0 ? media : { ...(media as Json), examples: own }];
  });
  return Object.fromEntries(media) as Json;
}

function businessErrorsOf(route: Route): [string, Json][] {
  const { 'x-errors': conditions } = termsOf(route) as { 'x-errors': Readonly<Record<string, string>> };
  return Object.entries(conditions)
    .filter(([code]) => BUSINESS_CODES.includes(Number(code)))
    .map(([code, summary]) => [code, { summary, value: failureExample(route.operationId, Number(code)) }]);
}

const BUSINESS_ERROR = { $ref: '#/components/schemas/BusinessError' };

function contentOf({ shape, failsWithStatus = false }: Route, schemas: NamedSchemas): Json {
  switch (shape.kind) {
    case 'envelope': {
      const properties = { code: { type: 'integer', const: 0 }, data: schemas.ofOutput(shape.data) };
      const envelope = { type: 'object', properties, required: ['code', 'data'] };
      return {
        'application/json': { schema: { anyOf: [envelope, BUSINESS_ERROR] } },
        ...(shape.line === undefined ? {} : ndjson(shape.line, schemas)),
        ...(shape.csv === undefined ? {} : { 'text/csv': { schema: { type: 'string' } } }),
      };
    }
    case 'bare':
      if (failsWithStatus) return { 'application/json': { schema: schemas.ofOutput(shape.body) } };
      return {
        'application/json': { schema: { anyOf: [schemas.ofOutput(shape.body), BUSINESS_ERROR] } },
        ...(shape.text === undefined ? {} : plainText(shape.text, schemas)),
      };
    case 'page':
      return { 'text/html': {} };
    case 'text':
      return plainText(shape.text, schemas);
    case 'file':
      if (shape.type !== undefined) return { [shape.type]: {} };
      return { 'application/octet-stream': {}, 'application/json': { schema: BUSINESS_ERROR } };
  }
}

/** The schema is that of a line. */
function ndjson(line: z.ZodType, schemas: NamedSchemas): Json {
  return { 'application/x-ndjson': { schema: schemas.ofOutput(line) } };
}

function plainText(text: z.ZodType, schemas: NamedSchemas): Json {
  return { 'text/plain': { schema: schemas.ofOutput(text) } };
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
  const failures = statuses.map((status) => [status, responseReference(`${kind}${status}`)]);
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

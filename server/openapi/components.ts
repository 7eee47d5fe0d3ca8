import { BUSINESS_CODES, STATUS_EXAMPLES } from './failure-examples.js';
import type { Json } from './named-schemas.js';

/** Descriptions of the HTTP statuses of failures. */
const FAILURES: Readonly<Record<string, string>> = {
  '402': 'Not enough credits; `credits_required` is the price of the call',
  '405': 'The path exists, but not with this method',
  '408': 'The body arrived too slowly',
  '413': 'The body is too large; without a key the limit is smaller',
  '429': 'A rate limit or quota is used up; with `Retry-After` unless it is the daily quota',
  '500': 'Internal error',
  '502': 'A registry, resolver or node did not answer; the call is free',
  '503': 'No release is loaded, or accounts are unavailable',
  '504': 'A probe node did not answer in time',
};

const integer = (description: string) => ({ description, schema: { type: 'integer' } });
const text = (description: string) => ({ description, schema: { type: 'string' } });

const HEADERS = {
  'X-RateLimit-Limit': integer('Requests allowed per minute'),
  'X-RateLimit-Remaining': {
    ...integer('Requests left in this minute'),
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': integer('End of this minute, Unix seconds'),
  'X-Request-Id': text(
    'Id of the request; an id from the caller is kept if it has at most 64 letters, digits, `_`, `.` or `-`',
  ),
  'X-Data-Build': text('Id of the release that the answer is from'),
  'X-Auth': text('`invalid` if the request had an invalid key'),
  'X-ECS-Scope': integer('Scope prefix length in the answer of the resolver (RFC 7871)'),
  Deprecation: text('Present if the key was sent as `?token=` (RFC 9745)'),
  'Retry-After': integer('Seconds to wait'),
  'Content-Disposition': text('`attachment` with the file name'),
  ETag: text('SHA-256 of the file, in quotes'),
  'Last-Modified': text('Last change of the file'),
  'Accept-Ranges': text('`bytes`'),
  'X-Database-MD5': text('MD5 of the MMDB file'),
  'WWW-Authenticate': text('`Basic`: the account number and a key are missing or wrong'),
  Link: text('The licences of the sources, with `rel="license"`'),
  'X-Dataset-Hourly-Limit': integer('Downloads of the dataset per clock hour'),
  'X-Dataset-Hourly-Used': integer('Downloads in this hour, this one included'),
  'X-Dataset-Daily-Limit': integer('Downloads of the dataset per day'),
  'X-Dataset-Daily-Used': integer('Downloads today, this one included'),
};

/** References to the headers that every answer may have. */
export function limitHeaders(): Record<string, { $ref: string }> {
  return headerReferences([
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-Id',
    'X-Data-Build',
    'X-Auth',
    'Deprecation',
  ]);
}

/** The components of the document: those that `paths` refers to, and the schemas of the answers. */
export function componentsOf(paths: Json, answers: Json): Json {
  const text = JSON.stringify(paths);
  const used = Object.entries(RESPONSES).filter(([name]) =>
    text.includes(`"${responseReference(name).$ref}"`),
  );
  return {
    securitySchemes: SECURITY,
    headers: HEADERS,
    schemas: { ...FAILURE_SCHEMAS, ...answers },
    responses: Object.fromEntries(used),
  };
}

/** Returns a reference to a response by name. */
export function responseReference(name: string): { $ref: string } {
  return { $ref: `#/components/responses/${name}` };
}

const SECURITY = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API key>' },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'For updaters: the number of the account (`id` of /api/user/me) and an API key',
  },
  token: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'Deprecated: the key leaks into logs and history',
  },
};

const message = { type: 'string', description: 'What is wrong, the value, and what is allowed' };
const field = (type: string, description: string) => ({ type, description });

/** The bodies of errors. Their codes are literal, so that `code === 0` identifies a success. */
const FAILURE_SCHEMAS = {
  BusinessError: {
    type: 'object',
    description: 'An error with HTTP 200',
    properties: {
      code: { type: 'integer', enum: BUSINESS_CODES, description: 'As the HTTP status of the same number' },
      msg: message,
      available_countries: {
        ...{ type: 'array', items: { type: 'string' } },
        description: 'Of a probe from a country without nodes: the countries that have some',
      },
      oldest: {
        ...{ type: 'string', format: 'date-time' },
        description: 'Of a time whose release is not kept: the oldest time that has one',
      },
      snapshot: {
        type: 'object',
        description: 'Of changes that are not available: the whole file',
        properties: {
          uri: field('string', 'The file'),
          sha256: field('string', 'Digest of the file'),
          size: field('integer', 'Bytes'),
        },
        required: ['uri', 'sha256', 'size'],
      },
    },
    required: ['code', 'msg'],
  },
  Failure: {
    type: 'object',
    description: 'An error with an HTTP status',
    properties: {
      code: { type: 'integer', enum: Object.keys(FAILURES).map(Number), description: 'The HTTP status' },
      msg: message,
      credits_required: field('integer', 'Of code 402: the price of the call'),
      limit: field('integer', 'Of code 429: calls in the window'),
      reset_at: field('integer', 'Of code 429: end of the window, Unix seconds'),
      reset_iso: { ...field('string', 'Of code 429: end of the window, ISO 8601'), format: 'date-time' },
    },
    required: ['code', 'msg'],
  },
};

/** Failures by HTTP status, as JSON and, with the prefix `Text`, as a line of text. */
const RESPONSES = Object.fromEntries(
  Object.entries(FAILURES).flatMap(([status, description]) => [
    [status, { description, headers: headersOf(status), content: json(status) }],
    [
      `Text${status}`,
      {
        description,
        headers: headersOf(status),
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    ],
  ]),
);

function headersOf(status: string): Record<string, { $ref: string }> {
  return status === '429' ? { ...limitHeaders(), ...headerReferences(['Retry-After']) } : limitHeaders();
}

/** References to headers by name. */
export function headerReferences(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The body of a failure repeats the HTTP status in `code`. */
function json(status: string): object {
  const required = status === '402' ? ['code', 'msg', 'credits_required'] : ['code', 'msg'];
  const own = { type: 'object', properties: { code: { const: Number(status) } }, required };
  const schema = { allOf: [{ $ref: '#/components/schemas/Failure' }, own] };
  return { 'application/json': { schema, example: STATUS_EXAMPLES[status] } };
}

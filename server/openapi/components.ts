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

/** The components of the document. */
export const COMPONENTS = {
  securitySchemes: {
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
  },
  headers: HEADERS,
  schemas: {
    Failure: {
      type: 'object',
      properties: {
        code: { type: 'integer', minimum: 400, maximum: 599 },
        msg: { type: 'string' },
        credits_required: { type: 'integer' },
        limit: { type: 'integer' },
        reset_at: { type: 'integer' },
        reset_iso: { type: 'string', format: 'date-time' },
        available_countries: { type: 'array', items: { type: 'string' } },
        snapshot: {
          type: 'object',
          properties: { uri: { type: 'string' }, sha256: { type: 'string' }, size: { type: 'integer' } },
        },
      },
      required: ['code', 'msg'],
      additionalProperties: false,
    },
  },
  responses: Object.fromEntries(
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
  ),
};

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
  return { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Failure' }, own] } } };
}

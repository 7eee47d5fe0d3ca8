/** Statuses of failures, in words. */
const FAILURES: Readonly<Record<string, string>> = {
  '402': 'Not enough credits; `credits_required` says what the call needs',
  '405': 'The path is there, under other methods',
  '413': 'The body is too large',
  '429': 'A rate limit or quota is used up; `Retry-After` unless it is that of the day',
  '500': 'Our own fault',
  '502': 'A registry or resolver did not answer; nothing is billed',
  '503': 'No release is loaded, or accounts cannot be reached',
  '504': 'A probe node did not answer in time',
};

const integer = (description: string) => ({ description, schema: { type: 'integer' } });
const text = (description: string) => ({ description, schema: { type: 'string' } });

const HEADERS = {
  'X-RateLimit-Limit': integer('Requests of a minute'),
  'X-RateLimit-Remaining': { ...integer('What is left of them'), schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Reset': integer('When the minute ends, Unix seconds'),
  'X-Request-Id': text('Names the request; one of yours is kept when it is short and plain'),
  'X-Data-Build': text('The release that answered'),
  'X-Auth': text('`invalid` when a key was sent that is none'),
  'X-ECS-Scope': integer('Length of the client subnet that the resolver says its answer is for (RFC 7871)'),
  Deprecation: text('Of calls that send their key as `?token=` (RFC 9745)'),
  'Retry-After': integer('Seconds to wait'),
};

/** The headers of every answer. */
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

/** Parts of the document that operations point to. */
export const COMPONENTS = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API key>' },
    token: {
      ...{ type: 'apiKey', in: 'query', name: 'token' },
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

/** Headers by their names above. */
export function headerReferences(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Statuses that are no 200 repeat themselves in the body. */
function json(status: string): object {
  const required = status === '402' ? ['code', 'msg', 'credits_required'] : ['code', 'msg'];
  const own = { type: 'object', properties: { code: { const: Number(status) } }, required };
  return { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Failure' }, own] } } };
}

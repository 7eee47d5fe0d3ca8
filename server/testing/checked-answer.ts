import assert from 'node:assert';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { closedSchemas } from './closed-schemas.js';

/** An answer that was validated against the OpenAPI document. */
export interface CheckedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. Undefined unless it is JSON. */
  readonly body: unknown;
}

/** The parts of an OpenAPI document that validate answers. */
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Record<string, Reference> }>>>
  >;
}
type Reference = { readonly $ref?: string; readonly content?: Readonly<Record<string, { schema?: object }>> };

/** The operation of an answer. */
interface Asked {
  /** Path with query. */
  readonly path: string;
  readonly method: string;
}

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/**
 * Returns a function that validates answers against the server's own document: the schema of route and status, and the
 * headers of every answer (decisions 1 and 12). Throws AssertionError for an invalid answer.
 */
export async function answerChecker(
  url: string,
): Promise<(response: Response, asked: Asked) => Promise<CheckedAnswer>> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema(closedSchemas(document), 'openapi');
  return async (response, asked) => {
    const text = await response.text();
    for (const name of [...RATE_HEADERS, 'x-request-id']) {
      assert.ok(response.headers.has(name), `${asked.method} ${asked.path}: no ${name}`);
    }
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
    const body: unknown = type === 'application/json' && text !== '' ? JSON.parse(text) : undefined;
    const pointer = schemaPointer(document, asked, { status: response.status, type });
    if (pointer !== undefined && body !== undefined) {
      const validate = ajv.getSchema(`openapi${pointer}`);
      assert.ok(validate, `no schema at ${pointer}`);
      assert.ok(
        validate(body),
        `${asked.method} ${asked.path}: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 500)}`,
      );
    }
    return { status: response.status, headers: response.headers, text, body };
  };
}

/** Returns the JSON pointer of an answer's schema; undefined for undocumented paths. */
function schemaPointer(
  document: Document,
  { path, method }: Asked,
  { status, type }: { status: number; type: string },
): string | undefined {
  const [bare = ''] = path.split('?');
  const operations = Object.entries(document.paths).find(([template]) => matches(template, bare));
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const responses = operations?.[1][verb]?.responses;
  if (operations === undefined || responses === undefined || status === 304) return undefined;
  const response = responses[String(status)];
  assert.ok(response, `${method} ${path}: ${status} is not in the document`);
  const at = response.$ref ?? `#/paths/${escape(operations[0])}/${verb}/responses/${status}`;
  // A 416 has no body.
  if (type === '') return undefined;
  if (response.$ref === undefined)
    assert.ok(response.content?.[type], `${method} ${path}: no ${type} in the document`);
  return `${at}/content/${escape(type)}/schema`;
}

function matches(template: string, path: string): boolean {
  const pattern = template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}/?$`, 'i').test(path);
}

/** Escapes a key of a JSON pointer in a URI fragment (RFC 6901 §6). */
function escape(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

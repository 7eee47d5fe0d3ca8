import { withoutReferences } from './dereference.js';
import { bucketName, bucketsTable, plansTable } from './limit-tables.js';
import { headingSlug, table } from './markdown-table.js';
import { AUTHENTICATION, BASICS, CLIENTS, ERRORS, INTRODUCTION, LIMITS, VERSIONS } from './reference-text.js';
import { exampleOf } from './render-example.js';
import { rowsOf, typeOf, type FieldRow, type Schema } from './schema-rows.js';

/** The parts of the OpenAPI document that the reference shows. */
export interface ReferenceDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
    readonly responses: Readonly<Record<string, Response & { readonly description: string }>>;
  };
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-key'?: string;
  readonly 'x-credits'?: number | string;
  readonly 'x-bucket'?: string;
  readonly 'x-errors'?: Readonly<Record<string, string>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** An operation with its place: `GET /api/ip/{target}`. */
interface Endpoint extends Operation {
  readonly title: string;
}

/** Renders `server/api.md` from the OpenAPI document. */
export function renderReference(referring: ReferenceDocument): string {
  const document = withoutReferences(referring);
  const endpoints = endpointsOf(document);
  const tags = [...new Set(endpoints.flatMap((endpoint) => endpoint.tags))];
  const shown = new Map<string, FieldRow[]>();
  const sections = tags.flatMap((tag) => [
    `## ${tag}`,
    ...endpoints.filter((one) => one.tags.includes(tag)).map((one) => renderEndpoint(one, shown)),
  ]);
  const blocks = [
    INTRODUCTION,
    summaryOf(endpoints),
    BASICS,
    AUTHENTICATION,
    LIMITS,
    plansTable(),
    bucketsTable(),
    '## Headers',
    table(['header', 'meaning'], Object.entries(document.components.headers).map(headerRow)),
    ERRORS,
    failuresTable(document),
    ...sections,
    CLIENTS,
    VERSIONS,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function endpointsOf({ paths }: ReferenceDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      title: `${method.toUpperCase()} ${path}`,
    })),
  );
}

/** The table of all endpoints with links to their sections. */
function summaryOf(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map((one) => [
    `[${one.title}](#${headingSlug(one.title)})`,
    one['x-key'] ?? 'none',
    String(one['x-credits'] ?? 0),
    bucketName(one['x-bucket'] ?? 'public'),
  ]);
  return table(['endpoint', 'key', 'credits', 'limit'], rows);
}

function renderEndpoint(endpoint: Endpoint, shown: Map<string, FieldRow[]>): string {
  const { title, summary, parameters = [], requestBody } = endpoint;
  const body = requestBody?.content['application/json']?.schema;
  const blocks = [
    `### ${title}`,
    summary,
    termsOf(endpoint),
    parameters.length === 0
      ? ''
      : table(['parameter', 'in', 'type', 'meaning'], parameters.map(parameterRow)),
    body === undefined ? '' : `Body (JSON):\n\n${fieldTable(rowsOf(body))}`,
    renderAnswer(endpoint, shown),
    errorsOf(endpoint),
    exampleOf(endpoint.operationId),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

function termsOf(endpoint: Endpoint): string {
  const { 'x-key': key, 'x-credits': credits, 'x-bucket': bucket } = endpoint;
  if (key === undefined) return '';
  return `Key: ${KEYS[key] ?? key}. Credits: ${credits ?? 0}. Limit: ${bucketName(bucket ?? '')}.`;
}

const KEYS: Readonly<Record<string, string>> = {
  none: 'none',
  optional: 'optional',
  required: 'required',
  enterprise: 'required, of the enterprise plan',
};

function parameterRow({ name, in: place, required, description = '', schema }: Parameter): string[] {
  return [`\`${name}\``, place, `${parameterType(schema)}${required ? '' : ', optional'}`, description];
}

/** Returns the type of a parameter. The allowed names of a list are the fields of the answer. */
function parameterType(schema: Schema): string {
  return schema.items === undefined ? typeOf(schema) : 'names, comma-separated';
}

/** The fields of a success, or a link to the endpoint that has the same ones. */
function renderAnswer({ title, responses }: Endpoint, shown: Map<string, FieldRow[]>): string {
  const [[type, { schema }] = ['', {}]] = Object.entries(responses['200']?.content ?? {});
  if (type === 'text/plain') return 'Answer: plain text.';
  if (type.startsWith('application/') && type !== 'application/json')
    return fileAnswer(type, responses['200']);
  const success = schema?.anyOf?.[0] ?? schema;
  const data = success?.properties?.['data'];
  const rows = success === undefined ? [] : rowsOf(data ?? success);
  const lead = data === undefined ? 'Answer, without envelope' : 'Answer, `data`';
  if (rows.length === 0) return 'Answer: JSON.';
  const same = [...shown].find(([, known]) => known.length > 20 && isPart(known, rows));
  shown.set(title, rows);
  if (same === undefined) return `${lead}:\n\n${fieldTable(rows)}`;
  const names = new Set(same[1].map(({ name }) => name));
  const own = rows.filter(({ name }) => !names.has(bareName(name)));
  const link = `the fields of [${same[0]}](#${headingSlug(same[0])})`;
  if (own.length === 0) return `${lead}: ${link}.`;
  const isList = own.some(({ name }) => name.startsWith('[]'));
  const sentence = isList ? `a list. Each element has ${link}, or instead` : `${link}, and`;
  return `${lead}: ${sentence}:\n\n${fieldTable(own)}`;
}

/** Whether all fields of one answer are in another, directly or in the elements of its list. */
function isPart(known: readonly FieldRow[], rows: readonly FieldRow[]): boolean {
  const names = new Set(rows.map(({ name }) => bareName(name)));
  return known.every(({ name }) => names.has(name));
}

function bareName(name: string): string {
  return name.replace(/^\[\]\./, '');
}

function fileAnswer(type: string, response: Response | undefined): string {
  const own = Object.keys(response?.headers ?? {}).filter(
    (name) => !/^(X-RateLimit|X-Request|X-Data-|X-Auth|Depr)/.test(name),
  );
  return `Answer: the file, \`${type}\`. Headers: ${own.map((name) => `\`${name}\``).join(', ')}.`;
}

function errorsOf({ 'x-errors': errors = {} }: Endpoint): string {
  const rows = Object.entries(errors).map(([code, condition]) => [code, condition]);
  return rows.length === 0 ? '' : table(['code', 'condition'], rows);
}

function headerRow([name, { description }]: readonly [string, { description: string }]): string[] {
  return [`\`${name}\``, description];
}

/** HTTP statuses with the code of the same number. */
function failuresTable({ components }: ReferenceDocument): string {
  const statuses = Object.entries(components.responses).filter(([status]) => /^\d+$/.test(status));
  const rows = statuses.map(([status, { description }]) => [status, status, description]);
  return table(['HTTP', 'code', 'condition'], rows);
}

function fieldTable(rows: readonly FieldRow[]): string {
  return table(
    ['field', 'type', 'meaning'],
    rows.map(({ name, type, description }) => [`\`${name}\``, type, description]),
  );
}

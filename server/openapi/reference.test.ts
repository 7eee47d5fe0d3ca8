import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import t from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { linksOf } from '../conformance/documents.js';
import { ENDPOINTS } from '../conformance/endpoint-checks.js';
import { closedSchemas } from '../testing/closed-schemas.js';
import { runServer } from '../testing/running-server.js';
import { withoutReferences } from './dereference.js';
import { EXAMPLES } from './examples.js';
import { BUSINESS_CODES } from './failure-examples.js';
import { headingSlug } from './markdown-table.js';
import { renderReference, type ReferenceDocument } from './render-reference.js';
import { rowsOf } from './schema-rows.js';

const server = await runServer(t);
const document = withoutReferences((await server.get('/openapi.json')).body as ReferenceDocument);
const written = readFileSync(join(PROJECT_ROOT, 'server/api.md'), 'utf8');

/** Returns the first line in which two texts differ; absent when they are equal. */
function firstDifference(actual: string, expected: string): string | undefined {
  const [lines, others] = [actual.split('\n'), expected.split('\n')];
  const at = lines.findIndex((line, i) => line !== others[i]);
  if (at < 0)
    return lines.length === others.length ? undefined : `line ${lines.length + 1}: ${others[lines.length]}`;
  return `line ${at + 1}: ${lines[at]} instead of ${others[at] ?? 'nothing'}`;
}

t.test('server/api.md is what /openapi.json gives; else run `make reference`', (t) => {
  t.equal(firstDifference(written, renderReference(document)), undefined);
  t.end();
});

t.test('a changed field, parameter, error, header or endpoint makes server/api.md out of date', (t) => {
  const changes: readonly ((text: string) => string)[] = [
    (text) => text.replace('"as_domain":{', '"as_domains":{'),
    (text) => text.replace('"name":"region","in":"query"', '"name":"place","in":"query"'),
    (text) => text.replace('The host name has no address', 'No address'),
    (text) => text.replace('"X-Request-Id":{"description":"', '"X-Request-Id":{"description":"x'),
    (text) => text.replace('"/api/nodes":', '"/api/agents":'),
    (text) => text.replace('"x-credits":2', '"x-credits":3'),
  ];
  const text = JSON.stringify(document);
  for (const change of changes) {
    const changed = change(text);
    t.not(changed, text, 'the change was made');
    t.type(firstDifference(written, renderReference(JSON.parse(changed) as ReferenceDocument)), 'string');
  }
  t.end();
});

t.test('every parameter and field has a description', (t) => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  for (const { operationId, parameters = [], responses } of operations) {
    const bare = parameters.filter(({ description = '' }) => description === '').map(({ name }) => name);
    const schema = responses['200']?.content?.['application/json']?.schema;
    const rows =
      schema === undefined
        ? []
        : rowsOf(schema.anyOf?.[0]?.properties?.['data'] ?? schema.anyOf?.[0] ?? schema);
    const silent = rows.filter(({ description }) => description === '').map(({ name }) => name);
    t.same([...bare, ...silent], [], operationId);
  }
  t.end();
});

t.test('every endpoint has examples of its answer and its errors, which fit their schemas', (t) => {
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  for (const [path, operations] of Object.entries(closedSchemas(document).paths)) {
    for (const { operationId, tags, responses, 'x-errors': errors = {} } of Object.values(operations)) {
      t.ok(tags.includes('Operation') || EXAMPLES[operationId], `${path} has an example`);
      const { 'application/json': media, ...others } = responses['200']?.content ?? {};
      const { schema, examples = {} } = media ?? {};
      for (const other of Object.values(others))
        t.notOk(
          Object.keys(other.examples ?? {}).some((name) => name !== 'success'),
          operationId,
        );
      if (schema === undefined || responses['401'] !== undefined || tags.includes('Operation')) continue;
      const expected = Object.keys(errors).filter((code) => BUSINESS_CODES.includes(Number(code)));
      t.strictSame(
        Object.keys(examples)
          .filter((name) => name !== 'success')
          .sort(),
        expected,
        operationId,
      );
      for (const [name, { value }] of Object.entries(examples))
        t.ok(ajv.validate(schema, value), `${operationId} ${name}: ${ajv.errorsText()}`);
    }
  }
  for (const [status, { content = {} }] of Object.entries(closedSchemas(document).components.responses)) {
    const { schema, example } = content['application/json'] ?? {};
    if (schema !== undefined) t.ok(ajv.validate(schema, example), `${status}: ${ajv.errorsText()}`);
  }
  t.end();
});

t.test('conformance links to headings that exist', (t) => {
  const slugs = new Set(
    [...written.matchAll(/^### (.*)$/gm)].map(([, heading = '']) => headingSlug(heading)),
  );
  for (const check of ENDPOINTS)
    for (const link of linksOf(check)) t.ok(slugs.has(link.replace('server/api.md#', '')), link);
  t.end();
});

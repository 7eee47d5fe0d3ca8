import { withoutReferences } from '../../openapi/dereference.js';
import { EXAMPLES } from '../../openapi/examples.js';
import type { Json } from '../../openapi/named-schemas.js';
import type { Schema } from '../../openapi/schema-rows.js';

/** A parameter of an operation with the value of the example. */
export interface ShownParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  /** The allowed values, if they are few. */
  readonly options?: readonly string[];
  /** Absent if the example omits the parameter. */
  readonly example?: string;
}

/** What an operation reads besides its parameters to know the caller. */
export type Login = 'none' | 'key' | 'basic';

/** One operation of the OpenAPI document, with a call that works. */
export interface Operation {
  readonly operationId: string;
  readonly tag: string;
  readonly method: 'GET' | 'POST';
  /** `/api/ip/{target}` */
  readonly path: string;
  readonly summary: string;
  /** `none`, `optional`, `required` or `enterprise`; absent for documents. */
  readonly key?: string;
  /** In words or as a number; absent for documents. */
  readonly credits?: string | number;
  /** The bucket of its limit. */
  readonly bucket?: string;
  readonly parameters: readonly ShownParameter[];
  readonly login: Login;
  /** Path and query of the example. */
  readonly examplePath: string;
  readonly exampleNeedsKey: boolean;
  /** The header Accept of the example, where the endpoint requires it. */
  readonly exampleAccept?: string;
  /** JSON text of the example. */
  readonly exampleBody?: string;
  /** Name for the downloaded file; absent if the answer is text. */
  readonly saveAs?: string;
  /** HTTP statuses of failures that are the same for all operations. */
  readonly generalFailures: readonly string[];
}

interface Written {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly security: readonly Json[];
  readonly parameters?: readonly WrittenParameter[];
  readonly responses: Readonly<Record<string, Json>>;
  readonly 'x-key'?: string;
  readonly 'x-credits'?: string | number;
  readonly 'x-bucket'?: string;
}

interface WrittenParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** Returns the operations of an OpenAPI document in its order. */
export function operationsOf(document: Json): readonly Operation[] {
  const { paths } = withoutReferences(document) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Written>>>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, written]) =>
      operationOf(path, method === 'post' ? 'POST' : 'GET', written),
    ),
  );
}

function operationOf(path: string, method: 'GET' | 'POST', written: Written): Operation {
  const { operationId, tags, summary, security, parameters = [], responses } = written;
  const example = EXAMPLES[operationId];
  const examplePath = example?.path ?? path;
  const { 'x-key': key, 'x-credits': credits, 'x-bucket': bucket } = written;
  return {
    ...{ operationId, tag: tags[0], method, path, summary, examplePath },
    ...(key !== undefined && { key }),
    ...(credits !== undefined && { credits }),
    ...(bucket !== undefined && { bucket }),
    parameters: parameters
      .filter(({ name }) => name !== 'token')
      .map((parameter) => shown(parameter, valuesOf(path, examplePath))),
    login: security.some((way) => 'basic' in way)
      ? 'basic'
      : security.some((way) => 'bearer' in way)
        ? 'key'
        : 'none',
    exampleNeedsKey: example?.withKey === true || example?.withLogin === true,
    ...(example?.accept !== undefined && { exampleAccept: example.accept }),
    ...(example?.body !== undefined && { exampleBody: JSON.stringify(example.body) }),
    ...(example !== undefined &&
      example.answer === undefined && { saveAs: example.saveAs ?? 'dataset.mmdb' }),
    generalFailures: Object.keys(responses).filter((status) => isGeneral(responses[status]!)),
  };
}

/** Failures that all operations share are references to components. */
function isGeneral({ $ref }: Json): boolean {
  return typeof $ref === 'string';
}

function shown(
  { name, in: place, required, description = '', schema }: WrittenParameter,
  values: Readonly<Record<string, string>>,
): ShownParameter {
  const options = schema.enum?.map(String);
  const example = values[name];
  return {
    ...{ name, in: place, required, description },
    ...(options !== undefined && { options }),
    ...(example !== undefined && { example }),
  };
}

/** Returns the values of the parameters in a path with a query. */
function valuesOf(template: string, call: string): Readonly<Record<string, string>> {
  const url = new URL(call, 'http://localhost');
  const pattern = template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const { groups = {} } = new RegExp(`^${pattern}$`).exec(url.pathname) ?? {};
  const inPath = Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]);
  return Object.fromEntries([...inPath, ...url.searchParams]) as Record<string, string>;
}

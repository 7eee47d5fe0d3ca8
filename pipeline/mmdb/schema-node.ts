import { RecentObjects } from './recent-objects.js';
import type { ScalarType, Schema } from './schema.js';

interface NodeOf<Kind> {
  /** Distinguishes equal values of different schemas. */
  readonly id: number;
  readonly kind: Kind;
  /** The field names of a map in writing order; empty for other kinds. */
  readonly names: readonly string[];
  /** The schemas of the fields of a map; one element for an array or a map with arbitrary keys. */
  readonly values: readonly SchemaNode[];
  /** Parts by the identity of their JavaScript object. */
  readonly recent: RecentObjects;
}

/** The node of a map or an array. */
export type PartNode = NodeOf<'map' | 'mapOf' | 'array'>;

/** A schema prepared for encoding: numbered, with a list of names. All nodes have the same shape, for speed. */
export type SchemaNode = PartNode | NodeOf<ScalarType>;

export function isPart(node: SchemaNode): node is PartNode {
  return node.kind === 'map' || node.kind === 'mapOf' || node.kind === 'array';
}

/** The nodes of the schemas used so far, one per schema. */
export class SchemaNodes {
  readonly #bySchema = new Map<Schema, SchemaNode>();
  readonly #byId: SchemaNode[] = [];

  nodeOf(schema: Schema): SchemaNode {
    return this.#bySchema.get(schema) ?? this.#make(schema);
  }

  withId(id: number): SchemaNode {
    return this.#byId[id]!;
  }

  #make(schema: Schema): SchemaNode {
    const isMap = typeof schema !== 'string' && schema.kind === 'map';
    const values: SchemaNode[] = [];
    const node: SchemaNode = {
      id: this.#byId.length,
      kind: typeof schema === 'string' ? schema : schema.kind,
      names: isMap ? Object.keys(schema.fields) : [],
      values,
      recent: new RecentObjects(),
    };
    this.#byId.push(node);
    this.#bySchema.set(schema, node);
    // After the node is registered: a schema that contains itself must find its own node.
    for (const part of partsOf(schema)) values.push(this.nodeOf(part));
    return node;
  }
}

function partsOf(schema: Schema): readonly Schema[] {
  if (typeof schema === 'string') return [];
  if (schema.kind === 'map') return Object.values(schema.fields);
  return [schema.kind === 'array' ? schema.element : schema.value];
}

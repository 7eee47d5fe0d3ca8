/** An object in a store. */
export interface ObjectHead {
  readonly sizeBytes: number;
  /** Changes with the content. Opaque; compared as text. */
  readonly etag: string;
}

/** An object as a list shows it. */
export interface ListedObject extends ObjectHead {
  readonly key: string;
  /** When it was last written, ms since 1970, by the clock of the store. */
  readonly modifiedMs: number;
}

/** An open object. The body must be read; leaving its loop early closes it. */
export interface ObjectBody extends ObjectHead {
  /** Throws TransientError or StoreError when the connection fails or the body is shorter than `sizeBytes`. */
  readonly body: AsyncIterable<Buffer>;
}

/** The content of a new object: bytes, or a file that does not change meanwhile. */
export type ObjectContent = Buffer | { readonly path: string };

/** When a put may write: only a new key, or only over the object with this ETag. */
export type PutCondition = { readonly ifNoneMatch: '*' } | { readonly ifMatch: string };

/**
 * Objects by key: a folder or an S3 bucket. Keys are paths of `A-Z a-z 0-9 . _ -`, separated by `/`. An object is
 * visible complete or not at all. All methods throw TransientError for a fault that may pass (after their own quick
 * retries), and StoreError for any other.
 */
export interface ObjectStore {
  /** The store for messages, without credentials: `s3://bucket/prefix` or `file:/path`. */
  readonly name: string;
  /** Returns undefined if there is no such object. */
  head(key: string): Promise<ObjectHead | undefined>;
  /** Returns undefined if there is no such object, and `unchanged` if it still has the ETag `ifNoneMatch`. */
  get(key: string): Promise<ObjectBody | undefined>;
  get(key: string, ifNoneMatch: string | undefined): Promise<ObjectBody | 'unchanged' | undefined>;
  /**
   * Writes an object. Throws PreconditionError if the condition is not met; nothing is written then. After a lost answer
   * the retry of a write that took place may throw it too: read the object to find out.
   */
  put(key: string, content: ObjectContent, condition?: PutCondition): Promise<ObjectHead>;
  /** Lists the objects whose keys begin with `prefix`, in any order. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** Removes objects. Missing ones are ignored. */
  delete(keys: readonly string[]): Promise<void>;
  /**
   * Removes the parts of objects that killed writers left before a time, in ms since 1970. A bucket does nothing: its
   * service removes them by a rule for incomplete uploads.
   */
  removeUnfinished(beforeMs: number): Promise<void>;
  /** Closes idle connections. */
  close(): void;
}

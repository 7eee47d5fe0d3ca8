import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type {
  ListedObject,
  ObjectBody,
  ObjectContent,
  ObjectHead,
  ObjectStore,
  PutCondition,
} from './object-store.js';
import { checkedKey } from './object-key.js';
import { loadS3, type S3Sdk } from './s3-sdk.js';
import { s3Fault, statusOf } from './s3-fault.js';
import { PreconditionError, StoreError } from './store-error.js';
import { TransientError } from './transient-error.js';
import type { S3Address } from './store-address.js';

/** A store in a bucket of any service that speaks S3. */
export class S3Store implements ObjectStore {
  readonly name: string;

  private constructor(
    private readonly address: S3Address,
    private readonly sdk: S3Sdk,
    private readonly client: S3Client,
  ) {
    this.name = address.url;
  }

  /** Loads the SDK, which takes some 0.3 s and 20 MB. Opens no connection. */
  static async open(address: S3Address): Promise<S3Store> {
    const { sdk, client } = await loadS3(address);
    return new S3Store(address, sdk, client);
  }

  head(key: string): Promise<ObjectHead | undefined> {
    return this.guard(key, async (at) => {
      const found = await absentIf404(this.client.send(new this.sdk.HeadObjectCommand(at)));
      return found && headOf(found);
    });
  }

  get(key: string): Promise<ObjectBody | undefined>;
  get(key: string, ifNoneMatch: string | undefined): Promise<ObjectBody | 'unchanged' | undefined>;
  get(key: string, ifNoneMatch?: string): Promise<ObjectBody | 'unchanged' | undefined> {
    return this.guard(key, async (at) => {
      const condition = ifNoneMatch === undefined ? {} : { IfNoneMatch: ifNoneMatch };
      try {
        const found = await absentIf404(
          this.client.send(new this.sdk.GetObjectCommand({ ...at, ...condition })),
        );
        if (!found) return undefined;
        const head = headOf(found);
        // In Node the SDK returns the stream of the socket.
        return { ...head, body: this.chunks(key, found.Body as unknown as Readable, head.sizeBytes) };
      } catch (error) {
        if (statusOf(error) === 304) return 'unchanged';
        throw error;
      }
    });
  }

  put(key: string, content: ObjectContent, condition?: PutCondition): Promise<ObjectHead> {
    return this.guard(key, async (at) => {
      const when =
        condition === undefined
          ? {}
          : 'ifMatch' in condition
            ? { IfMatch: condition.ifMatch }
            : { IfNoneMatch: condition.ifNoneMatch };
      const Body = Buffer.isBuffer(content) ? content : createReadStream(content.path);
      const ContentType = key.endsWith('.json') ? 'application/json' : 'application/octet-stream';
      // Sends small content in one request, large content in parts. Each part is repeated by itself after a fault.
      const upload = new this.sdk.Upload({
        client: this.client,
        params: { ...at, ...when, Body, ContentType },
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
      });
      const { ETag = '' } = await upload.done().catch((error: unknown) => {
        throw isGone(error, condition) ? new PreconditionError(this.where(key), { cause: error }) : error;
      });
      const sizeBytes = Buffer.isBuffer(content) ? content.length : (await stat(content.path)).size;
      return { sizeBytes, etag: ETag };
    });
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    const { bucket, prefix: root } = this.address;
    let token: string | undefined;
    do {
      const page = await this.guard(undefined, () =>
        this.client.send(
          new this.sdk.ListObjectsV2Command({
            Bucket: bucket,
            Prefix: `${root}${prefix}`,
            ...(token !== undefined && { ContinuationToken: token }),
          }),
        ),
      );
      for (const { Key, Size = 0, ETag = '', LastModified } of page.Contents ?? []) {
        const key = Key!.slice(root.length);
        yield { key, sizeBytes: Size, etag: ETag, modifiedMs: LastModified?.getTime() ?? Date.now() };
      }
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  async delete(keys: readonly string[]): Promise<void> {
    const { bucket, prefix } = this.address;
    for (let i = 0; i < keys.length; i += DELETED_AT_ONCE) {
      const Objects = keys.slice(i, i + DELETED_AT_ONCE).map((key) => ({ Key: `${prefix}${key}` }));
      const { Errors = [] } = await this.guard(undefined, () =>
        this.client.send(
          new this.sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
        ),
      );
      const [failed] = Errors;
      if (failed) throw new StoreError(this.name, `cannot delete ${failed.Key}: ${failed.Code}`);
    }
  }

  removeUnfinished(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    this.client.destroy();
  }

  /** Yields the bytes of a body. Throws TransientError if it is cut short or the connection is silent. */
  private async *chunks(key: string, stream: Readable, sizeBytes: number): AsyncGenerator<Buffer> {
    const silent = setTimeout(() => {
      const seconds = SILENCE_MS / 1000;
      stream.destroy(new TransientError(`${this.where(key)}: no bytes for ${seconds} s`));
    }, SILENCE_MS);
    let received = 0;
    try {
      for await (const chunk of stream) {
        silent.refresh();
        received += (chunk as Buffer).length;
        yield chunk as Buffer;
      }
    } catch (error) {
      throw s3Fault(this.where(key), error);
    } finally {
      clearTimeout(silent);
    }
    if (received !== sizeBytes)
      throw new TransientError(`${this.where(key)}: ${received} bytes received, expected ${sizeBytes}`);
  }

  private async guard<T>(
    key: string | undefined,
    step: (at: { Bucket: string; Key: string }) => Promise<T>,
  ): Promise<T> {
    const { bucket, prefix } = this.address;
    const Key = key === undefined ? '' : `${prefix}${checkedKey(this.name, key)}`;
    try {
      return await step({ Bucket: bucket, Key });
    } catch (error) {
      throw s3Fault(this.where(key), error);
    }
  }

  private where(key: string | undefined): string {
    return key === undefined ? this.name : `${this.name}/${key}`;
  }
}

/** Whether the object that a put would have replaced does not exist any more. */
function isGone(error: unknown, condition: PutCondition | undefined): boolean {
  return condition !== undefined && 'ifMatch' in condition && isMissingObject(error);
}

/** Awaits an answer; undefined if there is no such object. A missing bucket is an error. */
async function absentIf404<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isMissingObject(error)) return undefined;
    throw error;
  }
}

function isMissingObject(error: unknown): boolean {
  return statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket';
}

function headOf({ ContentLength = 0, ETag = '' }: Answered): ObjectHead {
  return { sizeBytes: ContentLength, etag: ETag };
}

interface Answered {
  readonly ContentLength?: number | undefined;
  readonly ETag?: string | undefined;
}

const PART_BYTES = 16 << 20;
const PARTS_AT_ONCE = 2;
/** The maximum of a request. */
const DELETED_AT_ONCE = 1000;
const SILENCE_MS = 60_000;

import { resolve } from 'node:path';

/** A store in a bucket. Holds no credentials: the SDK reads them from the usual variables and files. */
export interface S3Address {
  readonly kind: 's3';
  /** `s3://bucket/prefix`, for messages. */
  readonly url: string;
  readonly bucket: string;
  /** Empty, or with a final `/`. */
  readonly prefix: string;
  /** Base URL of a service other than AWS. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  /** The bucket is in the path of requests, not in the host name. */
  readonly pathStyle: boolean;
}

/** A store in a folder. */
export interface FolderAddress {
  readonly kind: 'folder';
  /** `file:/path`, for messages. */
  readonly url: string;
  readonly path: string;
}

/** Where a store is. Plain JSON without secrets. */
export type StoreAddress = S3Address | FolderAddress;

/** The variables that `parseStoreAddress` reads. */
export const ADDRESS_VARIABLES = [
  'STORE',
  'STORE_PATH_STYLE',
  'AWS_ENDPOINT_URL_S3',
  'AWS_ENDPOINT_URL',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
] as const;

/** An invalid STORE or STORE_PATH_STYLE. */
export class StoreAddressError extends Error {
  override readonly name = 'StoreAddressError';
}

/**
 * Parses STORE and the variables of its service: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_DEFAULT_REGION and
 * STORE_PATH_STYLE. Returns undefined without STORE. Throws StoreAddressError for an invalid value.
 */
export function parseStoreAddress(
  env: Readonly<Partial<Record<(typeof ADDRESS_VARIABLES)[number], string | undefined>>>,
): StoreAddress | undefined {
  const text = env['STORE'] ?? '';
  if (text === '') return undefined;
  if (text.startsWith('file:')) return folderAddress(text);
  const parsed = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)\/?$/.exec(
    text,
  );
  // The text may contain a password, so it is not repeated.
  if (!parsed)
    throw new StoreAddressError('invalid STORE: expected s3://bucket, s3://bucket/prefix or file:folder');
  const [, bucket = '', path = ''] = parsed;
  const endpoint = present(env['AWS_ENDPOINT_URL_S3']) ?? present(env['AWS_ENDPOINT_URL']);
  const region = present(env['AWS_REGION']) ?? present(env['AWS_DEFAULT_REGION']);
  return {
    kind: 's3',
    url: `s3://${bucket}${path}`,
    bucket,
    prefix: path === '' ? '' : `${path.slice(1)}/`,
    endpoint,
    // Other services accept any region, but the SDK needs one.
    region: region ?? (endpoint === undefined ? undefined : 'us-east-1'),
    pathStyle: parsePathStyle(env['STORE_PATH_STYLE'] ?? '') ?? endpoint !== undefined,
  };
}

function folderAddress(text: string): FolderAddress {
  const folder = text.replace(/^file:(\/\/(?=\/))?/, '');
  if (folder === '') throw new StoreAddressError('invalid STORE "file:": expected file:folder');
  const path = resolve(folder);
  return { kind: 'folder', url: `file:${path}`, path };
}

function parsePathStyle(text: string): boolean | undefined {
  if (text === '') return undefined;
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw new StoreAddressError(`invalid STORE_PATH_STYLE "${text}": expected yes or no`);
}

function present(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import type { Upload } from '@aws-sdk/lib-storage';
import type { S3Address } from './store-address.js';

/** The parts of the SDK that are used. */
export type S3Sdk = Pick<
  typeof import('@aws-sdk/client-s3'),
  'HeadObjectCommand' | 'GetObjectCommand' | 'ListObjectsV2Command' | 'DeleteObjectsCommand'
> & { readonly Upload: typeof Upload };

/** Loads the SDK and makes a client. Commands without a store never load it. */
export async function loadS3(address: S3Address): Promise<{ sdk: S3Sdk; client: S3Client }> {
  // The SDK warns on every start that its versions of 2027 need a newer Node.
  Object.assign(process.env, { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' });
  const s3 = await import('@aws-sdk/client-s3');
  const { Upload } = await import('@aws-sdk/lib-storage');
  return { sdk: { ...s3, Upload }, client: new s3.S3Client(configOf(address)) };
}

function configOf({ endpoint, region, pathStyle }: S3Address): S3ClientConfig {
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    // Services other than AWS do not know the newer checksum headers. Content is verified by its sha256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      // Ends a request without an answer; the body of an answer has its own limit.
      socketTimeout: SILENT_MS,
      httpAgent: { keepAlive: true, maxSockets: SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: SOCKETS },
    },
  };
}

const ATTEMPTS = 4;
const CONNECT_MS = 5000;
const SILENT_MS = 60_000;
const SOCKETS = 32;

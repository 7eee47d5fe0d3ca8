import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../fuzz/random.js';
import {
  newFaultProxyForTest,
  PROXY_FAULTS,
  type FaultProxy,
  type ProxyFault,
} from '../testing/fault-proxy.js';
import type { Lifetime } from '../testing/lifetime.js';
import { newS3ServerForTest, S3_BUCKET, S3_CREDENTIALS, type S3Server } from '../testing/s3-server.js';
import { ApiServer } from './api-server.js';
import { checkOutput, type OutputCheck } from './check-output.js';

/** A fault of the store, and how long it lasts. `killed` ends the service of the bucket and starts it again. */
export interface StoreFault {
  readonly kind: ProxyFault | 'killed';
  readonly lastsMs: number;
}

/** Chooses a fault of the store; undefined for none. */
export function chooseStoreFault(random: Random): StoreFault | undefined {
  if (random.once(2)) return undefined;
  return { kind: random.pick([...PROXY_FAULTS, 'killed'] as const), lastsMs: 100 + random.below(3000) };
}

/** How to start a store. */
export interface StoreOptions {
  /** The folder of the soak: the bucket and the output folder of the server that follows it are there. */
  readonly dir: string;
  readonly main: string;
  readonly redisUrl: string;
}

/** A store that the builds of a soak publish to, behind a proxy with faults, and a server that follows it. */
export class SoakedStore {
  private constructor(
    /** The variables of a build or a server that uses the store. */
    readonly variables: Readonly<Record<string, string>>,
    /** The output folder of the server that follows it. */
    private readonly followedDir: string,
    readonly server: ApiServer,
    private readonly bucket: { readonly service: S3Server; readonly proxy: FaultProxy },
  ) {}

  /** Starts the service of the bucket, the proxy and the server. */
  static async start(lifetime: Lifetime, { dir, main, redisUrl }: StoreOptions): Promise<SoakedStore> {
    const bucket = join(dir, 'bucket');
    const followedDir = join(dir, 'followed');
    mkdirSync(bucket, { recursive: true });
    mkdirSync(followedDir, { recursive: true });
    const service = await newS3ServerForTest(lifetime, bucket);
    const proxy = await newFaultProxyForTest(lifetime, service.port);
    const variables = {
      ...S3_CREDENTIALS,
      STORE: `s3://${S3_BUCKET}/soak`,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${proxy.port}`,
      STORE_GRACE_HOURS: '0',
    };
    const own = { OUTPUT: followedDir, OUTPUT_DIR: followedDir, REDIS_URL: redisUrl, STORE_POLL_MS: '200' };
    const server = new ApiServer(main, { ...variables, ...own, KEEP_RELEASES: '3' });
    await server.start();
    lifetime.teardown(() => server.stop());
    return new SoakedStore(variables, followedDir, server, { service, proxy });
  }

  /** Inflicts a fault and ends it. */
  async suffer({ kind, lastsMs }: StoreFault): Promise<void> {
    const { service, proxy } = this.bucket;
    if (kind === 'killed') await service.kill();
    else proxy.fault = kind;
    await sleep(lastsMs);
    proxy.fault = undefined;
    if (kind === 'killed') await service.start();
  }

  /** Checks that every release of the server's folder is whole, and that its current one has one of the countries. */
  check(countries: readonly string[]): Promise<OutputCheck> {
    return checkOutput(this.followedDir, { countries, releases: 0 });
  }
}

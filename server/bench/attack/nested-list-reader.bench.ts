import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { printJson } from '../../../pipeline/bench/bench-report.js';
import { ATTACKED_DIST } from './attacked-process.bench.js';
import { peakRssMbOf } from './process-figures.bench.js';

/** What this process uses of a list. The list is that of the attacked project, which may be another version. */
interface AttackedList {
  readonly files: readonly { readonly maxUnpackedBytes?: number }[];
  read(files: readonly object[], sinkFor: () => object, context: object): Promise<void>;
}

/** Reads a file as Amazon's list and prints its end and the peak memory. */
const path = process.argv[2]!;
const file = {
  id: 'aws/ip-ranges.json',
  folder: 'aws',
  name: 'ip-ranges.json',
  container: path.endsWith('.gz') ? 'gz' : 'plain',
  path,
};
const url = pathToFileURL(join(ATTACKED_DIST, 'pipeline/lists/cloud/aws.js')).href;
const { AWS } = (await import(url)) as { readonly AWS: AttackedList };
const maxUnpackedBytes = AWS.files[0]?.maxUnpackedBytes ?? (await defaultMaximum());
const nothing = (): undefined => undefined;
const sink = {
  asn: nothing,
  skip: nothing,
  range: nothing,
  prefix: nothing,
  address: nothing,
  reject: nothing,
};
let result = 'read without an error';
try {
  const opened = { ...file, maxUnpackedBytes, sizeBytes: statSync(path).size, onRead: nothing };
  await AWS.read([opened], () => sink, { log: nothing });
} catch (error) {
  result = whyOf(error);
}
printJson({ rssMb: peakRssMbOf(process.pid), result });

/** Returns the maximum size of a list. Older versions of the project have none. */
async function defaultMaximum(): Promise<number> {
  const sizes = join(ATTACKED_DIST, 'pipeline/input/containers/unpacked-size.js');
  if (!existsSync(sizes)) return Infinity;
  const { DEFAULT_UNPACKED_BYTES } = (await import(pathToFileURL(sizes).href)) as {
    readonly DEFAULT_UNPACKED_BYTES: number;
  };
  return DEFAULT_UNPACKED_BYTES;
}

/** Returns `refusal: found` of a refused file, else the error. */
function whyOf(error: unknown): string {
  const { name, message, refusal, found } = error as Error & {
    readonly refusal?: string;
    readonly found?: string;
  };
  return (refusal === undefined ? `${name} ${message}` : `${refusal}: ${found ?? ''}`).slice(0, 120);
}

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { peakMb, printJson } from '../../../pipeline/bench/bench-report.js';
import { ATTACKED_DIST } from './attacked-server.bench.js';

/** What this process uses of a list. The list is that of the attacked project, which may be another version. */
interface AttackedList {
  read(files: readonly object[], sinkFor: () => object, context: object): Promise<void>;
}

/** Reads a file as Amazon's list and prints its end and the peak memory. */
const path = process.argv[2]!;
const file = { id: 'aws/ip-ranges.json', folder: 'aws', name: 'ip-ranges.json', container: 'plain', path };
const url = pathToFileURL(join(ATTACKED_DIST, 'pipeline/lists/cloud/aws.js')).href;
const { AWS } = (await import(url)) as { readonly AWS: AttackedList };
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
  const opened = { ...file, sizeBytes: statSync(path).size, onRead: nothing };
  await AWS.read([opened], () => sink, { log: nothing });
} catch (error) {
  result = whyOf(error);
}
printJson({ rssMb: peakMb(), result });

/** Returns `refusal: found` of a refused file, else the error. */
function whyOf(error: unknown): string {
  const { name, message, refusal, found } = error as Error & {
    readonly refusal?: string;
    readonly found?: string;
  };
  return (refusal === undefined ? `${name} ${message}` : `${refusal}: ${found ?? ''}`).slice(0, 120);
}

import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { ByteText } from '../byte-text.js';
import { okEncoded, type Answer } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { entriesOf, hostsOf, linesOf, NO_ADDRESSES, parseBatch, type Batch } from '../lookup/batch.js';
import { batchEntrySchema, batchSchema } from '../lookup/ip-record-schema.js';
import { languageSchema } from '../lookup/language.js';
import { RECORD_FIELDS, recordEncoder } from '../lookup/record-encoder.js';
import { resolveHosts, startResolving, type Resolving } from '../lookup/resolve-batch.js';
import type { Parts } from '../parts.js';
import type { HostResolver } from '../targets/host-resolver.js';
import type { TargetAddress } from '../targets/target.js';

/** Documented as a string but not validated: any other value becomes an entry with an error (decision 21). */
const itemSchema = z.unknown().meta({ type: 'string', description: 'IPv4, IPv6 or hostname' });

const NOT_A_LIST = '`ips` must be a list of at least one address or hostname';

/** POST /api/ip/batch {ips} -> {code, data: entries in order} | 400 not a list, empty, or over the plan's limit */
export const ipBatch = ({ records, resolver }: Pick<Parts, 'records' | 'resolver'>): Route =>
  defineRoute({
    method: 'post',
    paths: ['/api/ip/batch'],
    operationId: 'lookupIpBatch',
    tag: 'IP lookup',
    summary: 'IP records of several addresses or host names, billed as one call.',
    terms: { kind: 'metered', key: 'optional', credits: 5 },
    errors: {
      400: '`ips` is not a list, is empty or has more items than the plan allows, the body is not JSON, or `fields` has an unknown name',
    },
    params: z.object({}),
    query: z.object({ lang: languageSchema, fields: RECORD_FIELDS.schema }),
    body: z.object(
      {
        ips: z
          .array(itemSchema, NOT_A_LIST)
          .min(1, NOT_A_LIST)
          .describe('IPv4 or IPv6 addresses or host names; at most the batch size of the plan'),
      },
      NOT_A_LIST,
    ),
    shape: { kind: 'envelope', data: batchSchema, line: batchEntrySchema },
    answer({ body, query, snapshot, batchLimit, headers }) {
      const batch = parseBatch(body.ips, batchLimit);
      const choice = RECORD_FIELDS.choose(query.fields);
      const encode = recordEncoder(records, { snapshot, language: query.lang, choice });
      if (wantsLines(headers)) return lines(batch, resolver, encode);
      const hosts = hostsOf(batch);
      if (hosts.length === 0) return okEncoded(entriesOf(batch, NO_ADDRESSES, encode));
      return async () => okEncoded(entriesOf(batch, await resolveHosts(hosts, resolver), encode));
    },
  });

/** Returns whether to answer in NDJSON: `Accept` names it, and does not name JSON (decision 81). */
function wantsLines({ accept = '' }: IncomingHttpHeaders): boolean {
  return /\bapplication\/x-ndjson\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept);
}

/** Returns a stream of the entries. Names are resolved once the stream is read, that is after the call was charged. */
function lines(batch: Batch, resolver: HostResolver, encode: (address: TargetAddress) => ByteText): Answer {
  let resolving: Resolving | undefined;
  const read = async function* (): AsyncGenerator<Buffer, void> {
    resolving = startResolving(hostsOf(batch), resolver);
    yield* linesOf(batch, resolving.addressOf, encode);
  };
  const blocks = read();
  const iterator: AsyncIterator<Buffer, void> = {
    next: () => blocks.next(),
    // The generator's own `return` would wait for the name that is being resolved.
    return: () => {
      resolving?.stop();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  const stream = Readable.from({ [Symbol.asyncIterator]: () => iterator }, { objectMode: false });
  const headers = { 'Content-Type': 'application/x-ndjson; charset=utf-8' };
  return { kind: 'stream', status: 200, headers, stream };
}

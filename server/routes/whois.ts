import { z } from 'zod';
import { Failure } from '../failure.js';
import { ok } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import type { Parts } from '../parts.js';
import { UpstreamError } from '../upstream-error.js';
import { recordOfAvailable, recordOfFound, whoisRecordSchema } from '../whois/whois-record-schema.js';
import type { WhoisRecord } from '../whois/whois-record-schema.js';
import type { WhoisAnswer, WhoisTarget } from '../whois/whois-record.js';
import { isPublicSuffix, isUnregistrable, parseWhoisTarget } from '../whois/whois-target.js';

/**
 * GET /api/whois/{target} -> {code, data: Whois record} | 400 invalid target | 404 not registered | 502 no registry
 * answered
 */
export const whois = ({ whois: lookup, reserved }: Pick<Parts, 'whois' | 'reserved'>): Route =>
  defineRoute({
    method: 'get',
    // A raw slash in a CIDR prefix splits it into two path segments (decision 26).
    paths: ['/api/whois/:target', '/api/whois/:target/:length'],
    operationId: 'lookupWhois',
    tag: 'Whois and DNS',
    summary: 'Registration of a domain, address, prefix or AS number.',
    terms: { kind: 'metered', key: 'optional', credits: 1 },
    errors: {
      400: 'The target is not a domain, IP address, CIDR prefix or AS number',
      404: 'The address or AS is not allocated, or no registry is known for the target',
      502: 'No registry answered',
    },
    params: pathSchema,
    query: z.object({}),
    shape: { kind: 'envelope', data: whoisRecordSchema },
    answer({ params: { target: text } }) {
      const target = parseWhoisTarget(text, reserved);
      if (!target) throw new Failure(400, 'invalid domain, IP, CIDR prefix or AS number');
      if (isUnregistrable(target, reserved)) throw new Failure(404, 'reserved: cannot be registered');
      return async () => ok(recordOf(text, target, await answerOf(lookup.lookup(target))));
    },
  });

const pathSchema = z
  .object({
    target: z.string().describe('Domain, IP, CIDR prefix, or AS13335'),
    length: z.string().exactOptional(),
  })
  .transform(({ target, length }) => ({ target: length === undefined ? target : `${target}/${length}` }));

async function answerOf(asked: Promise<WhoisAnswer>): Promise<WhoisAnswer> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw new Failure(502, 'the registry did not answer', {}, { cause: error });
  }
}

/** Returns the record. Only an unregistered domain below a public suffix is available (decision 26). */
function recordOf(text: string, target: WhoisTarget, answer: WhoisAnswer): WhoisRecord {
  switch (answer.kind) {
    case 'found':
      return recordOfFound(text, answer.registration, target.kind === 'asn');
    case 'absent':
      if (target.kind === 'domain' && !isPublicSuffix(target.name))
        return recordOfAvailable(text, answer.raw);
      throw new Failure(404, 'not registered');
    case 'no-server':
      throw new Failure(404, 'no registry known for this target');
  }
}

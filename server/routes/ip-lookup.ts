import { z } from 'zod';
import { ok, okEncoded, type Answer } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { pickFields } from '../lookup/fields.js';
import {
  changedFields,
  changedSources,
  lookedUpSchema,
  requireMoment,
  tablesOf,
} from '../lookup/ip-history.js';
import { languageSchema } from '../lookup/language.js';
import { RECORD_FIELDS, recordEncoder, type Wanted } from '../lookup/record-encoder.js';
import { requireAddressOfHost, requireTarget } from '../lookup/resolve-target.js';
import type { Parts } from '../parts.js';
import type { Moment } from '../../pipeline/release/release-at.js';
import type { TargetAddress } from '../targets/target.js';

/** GET /api/ip/{target} -> {code, data: IP record} | 400 invalid target | 404 no address | 502 no name server */
export const ipLookup = (parts: Pick<Parts, 'records' | 'resolver' | 'history'>): Route =>
  defineRoute({
    method: 'get',
    paths: ['/api/ip/:target'],
    operationId: 'lookupIp',
    tag: 'IP lookup',
    summary: 'Location, network and risk of an address or host name; with `at`, as they were answered then.',
    terms: {
      kind: 'metered',
      key: 'optional',
      credits: ({ query }) => (query.at === undefined ? 1 : 3),
      describeCredits: '1, or 3 with `at`',
    },
    errors: {
      400: 'The target is not an IP address or a host name, `fields` has an unknown name, or `at` is no time of the past',
      404: 'The host name has no address, or the release of `at` is not kept any more: `oldest` is the oldest time',
      502: 'No name server answered',
    },
    params: z.object({ target: z.string().describe('IPv4, IPv6 or hostname') }),
    query: z.object({
      lang: languageSchema,
      fields: RECORD_FIELDS.schema,
      at: z
        .string()
        .exactOptional()
        .describe(
          'A day (`2026-11-21`: its end in UTC) or an RFC 3339 time: answers from the release of then',
        ),
    }),
    shape: { kind: 'envelope', data: lookedUpSchema },
    answer({ params, query, snapshot }) {
      const target = requireTarget(params.target);
      const choice = RECORD_FIELDS.choose(query.fields);
      const wanted = { snapshot, language: query.lang, choice };
      if (query.at !== undefined) {
        const moment = requireMoment(query.at, Date.now());
        return async () => {
          const address =
            target.kind === 'address' ? target : await requireAddressOfHost(target.name, parts.resolver);
          return answerThen(parts, address, { ...wanted, moment });
        };
      }
      const encode = recordEncoder(parts.records, wanted);
      if (target.kind === 'address') return okEncoded(encode(target));
      return async () => okEncoded(encode(await requireAddressOfHost(target.name, parts.resolver)));
    },
  });

/** Answers from the release that was current at a moment, and compares it with the current one (decision 82). */
async function answerThen(
  { records, history }: Pick<Parts, 'records' | 'history'>,
  address: TargetAddress,
  { snapshot, language, choice, moment }: Wanted & { readonly moment: Moment },
): Promise<Answer> {
  const release = await history.releaseAt(moment, snapshot.id);
  const tables = tablesOf(await history.recordsOf(address.ip, release.id));
  const then = records.recordOf(address, tables, language);
  const now = records.recordOf(address, snapshot, language);
  const verdicts = [tables, snapshot].map((from) => records.verdictsOf(address, from, language));
  const shown = choice === undefined ? then : (pickFields(then, choice) as object);
  return ok({
    ...shown,
    history: {
      release: release.id,
      built: new Date(release.builtMs).toISOString(),
      current: snapshot.id,
      changed: changedFields(then, now),
      sources: changedSources(verdicts[0]!, verdicts[1]!),
    },
  });
}

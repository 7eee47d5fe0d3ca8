import { z } from 'zod';
import { globalAnswer, type Outcome } from '../global-dns/global-answer.js';
import { globalAnswerSchema } from '../global-dns/global-answer-schema.js';
import { askGlobally } from '../global-dns/ask-globally.js';
import { parseGlobalQuestion } from '../global-dns/global-question.js';
import type { Answer } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { languageSchema } from '../lookup/language.js';
import type { Parts } from '../parts.js';

/** GET /dns_global/api/query -> a bare object; failures have `error` and HTTP 200 (decision 30) */
export const globalDnsQuery = ({
  globalDns,
  records,
  reserved,
}: Pick<Parts, 'globalDns' | 'records' | 'reserved'>): Route =>
  defineRoute({
    method: 'get',
    paths: ['/dns_global/api/query'],
    operationId: 'queryGlobalDns',
    tag: 'Global DNS',
    summary:
      'DNS records that a public resolver returns for a region, by DNS over HTTPS with a client subnet.',
    terms: { kind: 'keyless', bucket: 'global-dns' },
    params: z.object({}),
    query: z.object({
      domain: z.string().optional().describe('Domain name; without it the answer has `error`'),
      type: z.string().optional().describe('Record type such as AAAA; A when it is missing or unknown'),
      provider: z.string().optional().describe('Index of the resolver, 0 to 13; 0 when it is missing'),
      region: z.string().optional().describe('`code` of a region'),
      lang: languageSchema,
    }),
    shape: { kind: 'bare', body: globalAnswerSchema },
    ownHeaders: ['X-ECS-Scope'],
    answer({ query, snapshot }) {
      const { domain, type, provider, region, lang } = query;
      const question = parseGlobalQuestion(
        { domain, type, provider, region },
        { resolvers: globalDns.resolvers, reserved },
      );
      const answerOf = (outcome: Outcome): Answer => {
        const body = globalAnswer(question, outcome, { records, snapshot, language: lang });
        const scope = outcome.kind === 'reply' ? outcome.reply.clientSubnetScope : undefined;
        return {
          kind: 'json',
          body,
          ...(scope === undefined ? {} : { headers: { 'X-ECS-Scope': `${scope}` } }),
        };
      };
      if (question.error !== undefined) return answerOf({ kind: 'refused', error: question.error });
      return async () => answerOf(await askGlobally(globalDns, question));
    },
  });

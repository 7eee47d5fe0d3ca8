import { z } from 'zod';
import { asnText } from '../bgp/parse-asn.js';
import { profileOf, profileSchema } from '../bgp/profile.js';
import { ok } from '../http/answer.js';
import { Failure } from '../failure.js';
import { defineRoute } from '../http/route.js';

/** GET /api/as-profile/{asn} -> 200 {code:0,data} | 400 no number | 404 nobody's and never seen */
export const asProfile = defineRoute({
  method: 'get',
  paths: ['/api/as-profile/:asn'],
  operationId: 'getAsProfile',
  tag: 'BGP and ASN',
  summary: 'Registration and announced prefixes of an autonomous system.',
  terms: { kind: 'keyless', bucket: 'bgp' },
  params: z.object({ asn: asnText }),
  query: z.object({}),
  shape: { kind: 'envelope', data: profileSchema },
  answer: ({ params, snapshot }) => {
    const profile = profileOf(params.asn, snapshot.networkOf(params.asn));
    if (!profile) throw new Failure(404, `AS${params.asn} is neither allocated nor announced`);
    return ok(profile);
  },
});

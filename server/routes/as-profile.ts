import { z } from 'zod';
import { asnText } from '../bgp/parse-asn.js';
import { profileOf, profileSchema } from '../bgp/profile.js';
import { ok } from '../http/answer.js';
import { Failure } from '../failure.js';
import { defineRoute } from '../http/route.js';

/** GET /api/as-profile/{asn} -> 200 {code:0,data} | 400 invalid AS number | 404 neither allocated nor announced */
export const asProfile = defineRoute({
  method: 'get',
  paths: ['/api/as-profile/:asn'],
  operationId: 'getAsProfile',
  tag: 'BGP and ASN',
  summary: 'Registration and announced prefixes of an autonomous system.',
  terms: { kind: 'keyless', bucket: 'bgp' },
  errors: {
    400: 'The AS number has other characters than digits, or more than 32 bits',
    404: 'The AS is neither allocated nor announced',
  },
  params: z.object({ asn: asnText.describe('AS number, digits only') }),
  query: z.object({}),
  shape: { kind: 'envelope', data: profileSchema },
  answer: ({ params, snapshot }) => {
    const profile = profileOf(params.asn, snapshot.networkOf(params.asn));
    if (!profile) throw new Failure(404, `AS${params.asn} is neither allocated nor announced`);
    return ok(profile);
  },
});

import { z } from 'zod';

/** An AS number in a path: digits only, at most 32 bits (decision 36). */
export const asnText = z
  .string()
  .regex(/^\d{1,10}$/, 'invalid AS number: expected digits only, such as 13335')
  .transform(Number)
  .refine((asn) => asn <= MAX_ASN, 'invalid AS number: expected at most 4294967295');

const MAX_ASN = 0xffff_ffff;

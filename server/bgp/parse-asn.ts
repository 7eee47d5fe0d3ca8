import { z } from 'zod';

/** A path's AS number: digits alone, at most 32 bits (ruling 36). */
export const asnText = z
  .string()
  .regex(/^\d{1,10}$/, 'the AS number is digits alone, as in /13335')
  .transform(Number)
  .refine((asn) => asn <= MAX_ASN, 'AS numbers have at most 32 bits');

const MAX_ASN = 0xffff_ffff;

import { z } from 'zod';

/** The parameter for the language of names. */
export const language = z.enum(['en', 'zh']).default('en').describe('Language of names');

/** The parameter for an address or a name. */
export const address = z.string().min(1).max(253);

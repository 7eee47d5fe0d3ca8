import type { Route } from '../http/route.js';
import type { Json } from './named-schemas.js';

/** The condition of code 401. */
export const NO_KEY = 'There is no valid key';
/** The condition of code 403 where a plan without downloads is refused. */
export const NO_PLAN = 'The plan has no downloads';

/** Returns key, price, limit and errors for programs, and for `server/api.md`. */
export function termsOf({ terms, errors }: Route): Json {
  switch (terms.kind) {
    case 'keyless':
      return { 'x-key': 'none', 'x-credits': 0, 'x-bucket': terms.bucket, 'x-errors': { ...errors } };
    case 'account':
      return {
        'x-key': 'required',
        'x-credits': 0,
        'x-bucket': 'plan',
        'x-errors': { 401: NO_KEY, ...errors },
      };
    case 'download': {
      const own = {
        401: NO_KEY,
        403: NO_PLAN,
        ...errors,
        429: 'The download limit is reached',
      };
      return { 'x-key': 'enterprise', 'x-credits': 0, 'x-bucket': 'plan', 'x-errors': own };
    }
    case 'metered': {
      const { key, credits, describeCredits } = terms;
      const price = typeof credits === 'number' ? credits : describeCredits;
      const all = { ...(key === 'required' ? { 401: NO_KEY } : {}), ...errors };
      return { 'x-key': key, 'x-credits': price, 'x-bucket': 'plan', 'x-errors': all };
    }
  }
}

/** Returns key, price and limit in words. */
export function describeTerms(terms: Route['terms']): string {
  switch (terms.kind) {
    case 'keyless':
      return 'Takes no key; limited by source address.';
    case 'account':
      return 'Requires a key; uses up its minute limit only.';
    case 'download':
      return terms.login === 'basic'
        ? 'Requires the number of an account and a key of the enterprise plan. Errors are HTTP statuses with a line of text.'
        : 'Requires a key of the enterprise plan; metered per dataset.';
    case 'metered': {
      const credits =
        typeof terms.credits === 'number' ? String(terms.credits) : (terms.describeCredits ?? '');
      return `${terms.key === 'required' ? 'Requires a key.' : 'The key is optional.'} Credits with a key: ${credits}.`;
    }
  }
}

/** Returns the ways to send a key. */
export function securityOf(terms: Route['terms']): Json[] {
  if (terms.kind === 'keyless') return [{}];
  if (terms.kind === 'download' && terms.login === 'basic') return [{ basic: [] }];
  const keys = [{ bearer: [] }, { token: [] }];
  return terms.kind === 'metered' && terms.key === 'optional' ? [{}, ...keys] : keys;
}

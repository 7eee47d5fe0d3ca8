import { parse } from 'node:querystring';

/** The parameters of a query string, with the first value of each (decision 15). */
export type Query = Readonly<Record<string, string | undefined>>;

const NONE: Query = Object.freeze({});

/** Further parameters are ignored (decision 72). */
const MOST_PARAMETERS = 100;

/** Parses the query of a request target such as `/json?lang=en`. */
export function queryOf(target: string): Query {
  const at = target.indexOf('?');
  if (at < 0 || at === target.length - 1) return NONE;
  const text = target.slice(at + 1);
  if (SIMPLE.test(text)) {
    const middle = text.indexOf('=');
    return { [text.slice(0, middle)]: text.slice(middle + 1) };
  }
  const parsed = parse(text, '&', '=', { maxKeys: MOST_PARAMETERS });
  for (const key in parsed) {
    const value = parsed[key];
    if (Array.isArray(value)) parsed[key] = value[0];
  }
  return parsed as Query;
}

/** One key and its value without percent-encoding. Most queries match, in a tenth of the time of `parse`. */
const SIMPLE = /^[a-z]\w*=[\w.:-]*$/;

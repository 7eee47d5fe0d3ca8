import type { IncomingMessage } from 'node:http';
import type { Context } from './exchange.js';

/** Answers a request for the route of a path. */
type Answer = (ctx: Context) => Promise<void>;

interface DirectRoute {
  readonly answer: Answer;
  /** The parameter that is the last segment; absent when the whole path is fixed. */
  readonly parameter?: string;
}

/** The route of a request, with the parameters of its path. */
export interface DirectAnswer {
  readonly answer: Answer;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the route of a GET by two lookups in a Map, for paths spelt exactly as documented. The router gives the same
 * result with a regular expression and a chain of functions per path. It handles all other requests.
 */
export class DirectPaths {
  /** By the whole path, or by the part before the parameter with its slash. */
  readonly #routes = new Map<string, DirectRoute>();

  /** Adds a route. `paths` are all paths mounted for GET. A path that another one may match is left to the router. */
  add(path: string, paths: readonly string[], answer: Answer): void {
    const shape = SHAPE.exec(path);
    if (!shape || paths.some((other) => other !== path && mayMatchBoth(path, other))) return;
    const parameter = shape[2];
    this.#routes.set(shape[1]!, parameter === undefined ? { answer } : { answer, parameter });
  }

  /** Returns the route of a request; undefined when the router must find it. */
  find({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): DirectAnswer | undefined {
    if (method !== 'GET' || url === undefined) return undefined;
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const at = path.lastIndexOf('/') + 1;
    const last = this.#routes.get(path.slice(0, at));
    if (last?.parameter !== undefined) {
      const value = path.slice(at);
      return PLAIN.test(value) ? { answer: last.answer, params: { [last.parameter]: value } } : undefined;
    }
    const fixed = this.#routes.get(path);
    if (fixed === undefined || fixed.parameter !== undefined) return undefined;
    return { answer: fixed.answer, params: NONE };
  }
}

const NONE: Readonly<Record<string, string>> = Object.freeze({});

/** A path with at most one parameter, as its last segment. */
const SHAPE = /^((?:\/[\w-]*)*?\/?)(?::(\w+))?$/;

/** A value without percent-encoding or delimiters. */
const PLAIN = /^[\w.:-]+$/;

/** Returns whether some path may match both patterns. */
function mayMatchBoth(one: string, other: string): boolean {
  const ours = one.split('/');
  const theirs = other.split('/');
  return (
    ours.length === theirs.length &&
    ours.every((part, i) => part.startsWith(':') || theirs[i]!.startsWith(':') || part === theirs[i])
  );
}

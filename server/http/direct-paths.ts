import type { Context, Middleware } from 'koa';

/** Answers a request whose path is known to be a route's. */
type Answer = (ctx: Context) => Promise<void>;

interface DirectRoute {
  readonly answer: Answer;
  /** The parameter that ends the path; absent where all of it is fixed. */
  readonly parameter?: string;
}

/**
 * Finds the route of a GET whose path is spelt exactly as documented, by two look-ups in a Map. The router comes to the
 * same, with a regular expression and a chain of functions per path; it answers all that this does not know.
 */
export class DirectPaths {
  /** By the whole path, or by what stands before the parameter, the slash included. */
  readonly #routes = new Map<string, DirectRoute>();

  /** `paths`: those of all that is mounted for GET, in which a path that others may match too is left to the router. */
  add(path: string, paths: readonly string[], answer: Answer): void {
    const shape = SHAPE.exec(path);
    if (!shape || paths.some((other) => other !== path && mayMatchBoth(path, other))) return;
    const parameter = shape[2];
    this.#routes.set(shape[1]!, parameter === undefined ? { answer } : { answer, parameter });
  }

  /** Answers a request, or passes it on. */
  readonly dispatch: Middleware = (ctx, next) => {
    const { method, url } = ctx.req;
    if (method !== 'GET' || url === undefined) return next();
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const at = path.lastIndexOf('/') + 1;
    const last = this.#routes.get(path.slice(0, at));
    if (last?.parameter !== undefined) {
      const value = path.slice(at);
      return PLAIN.test(value) ? answer(ctx, last, { [last.parameter]: value }) : next();
    }
    const fixed = this.#routes.get(path);
    return fixed === undefined || fixed.parameter !== undefined ? next() : answer(ctx, fixed, {});
  };
}

function answer(ctx: Context, route: DirectRoute, params: Readonly<Record<string, string>>): Promise<void> {
  ctx['params'] = params;
  return route.answer(ctx);
}

/** A path with at most one parameter, as its last segment. */
const SHAPE = /^((?:\/[\w-]*)*?\/?)(?::(\w+))?$/;

/** Nothing to decode in it, and nothing that could end a path. */
const PLAIN = /^[\w.:-]+$/;

/** Whether there may be a path that both match. */
function mayMatchBoth(one: string, other: string): boolean {
  const ours = one.split('/');
  const theirs = other.split('/');
  return (
    ours.length === theirs.length &&
    ours.every((part, i) => part.startsWith(':') || theirs[i]!.startsWith(':') || part === theirs[i])
  );
}

import { Router } from '@koa/router';
import assert from 'node:assert';
import type { Middleware } from 'koa';

/**
 * Routers by the first two segments of their paths. A router tries every path it has for every request, one regular
 * expression after the other, so each is given few.
 */
export class RouterFamilies {
  readonly #families = new Map<string, { readonly router: Router; readonly answer: Middleware }>();

  /** The router that a path, as @koa/router takes it, belongs into. */
  of(path: string): Router {
    const name = familyOf(path);
    assert(!name.includes(':'), `${path} begins with a parameter`);
    let family = this.#families.get(name);
    if (family === undefined) {
      const router = new Router();
      family = { router, answer: router.routes() as unknown as Middleware };
      this.#families.set(name, family);
    }
    return family.router;
  }

  /** Answers what a route matches and passes on the rest; what matches under other methods is in `ctx.matched`. */
  readonly dispatch: Middleware = (ctx, next) => {
    const family = this.#families.get(familyOf(ctx.path));
    return family === undefined ? next() : family.answer(ctx, next);
  };
}

/** `/api/ip` of `/api/ip/1.1.1.1` and of `/API/ip/`: routers take any case, and a slash at the end. */
function familyOf(path: string): string {
  const second = path.indexOf('/', 1);
  const third = second < 0 ? -1 : path.indexOf('/', second + 1);
  const name = third < 0 ? path : path.slice(0, third);
  return (second === path.length - 1 && second > 0 ? name.slice(0, -1) : name).toLowerCase();
}

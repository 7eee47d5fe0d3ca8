import { Router } from '@koa/router';
import assert from 'node:assert';
import type { Middleware } from 'koa';

/**
 * Routers by the first two segments of their paths, or by the first one if the second is a parameter. A router matches a request against the regular expression of each
 * of its paths, so each router gets only a few.
 */
export class RouterFamilies {
  readonly #families = new Map<string, { readonly router: Router; readonly answer: Middleware }>();

  /** Returns the router for a path in the syntax of @koa/router. */
  of(path: string): Router {
    const whole = familyOf(path);
    const name = whole.includes(':') ? firstOf(whole) : whole;
    assert(!name.includes(':'), `${path} begins with a parameter`);
    let family = this.#families.get(name);
    if (family === undefined) {
      const router = new Router();
      family = { router, answer: router.routes() as unknown as Middleware };
      this.#families.set(name, family);
    }
    return family.router;
  }

  /** Answers requests that match a route. Routes that match under other methods are left in `ctx.matched`. */
  readonly dispatch: Middleware = (ctx, next) => {
    const name = familyOf(ctx.path);
    const family = this.#families.get(name) ?? this.#families.get(firstOf(name));
    return family === undefined ? next() : (family.answer(ctx, next) as Promise<void>);
  };
}

/** Returns `/api/ip` for `/api/ip/1.1.1.1` and `/API/ip/`. Routers ignore case and a trailing slash. */
function familyOf(path: string): string {
  const second = path.indexOf('/', 1);
  const third = second < 0 ? -1 : path.indexOf('/', second + 1);
  const name = third < 0 ? path : path.slice(0, third);
  return (second === path.length - 1 && second > 0 ? name.slice(0, -1) : name).toLowerCase();
}

/** Returns `/lookup` for `/lookup/1.1.1.1`. */
function firstOf(family: string): string {
  const second = family.indexOf('/', 1);
  return second < 0 ? family : family.slice(0, second);
}

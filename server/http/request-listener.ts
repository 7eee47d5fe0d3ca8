import type Koa from 'koa';
import type { RequestListener } from 'node:http';
import type { Context } from './exchange.js';
import type { DirectAnswer } from './direct-paths.js';
import type { Mount } from './mount-routes.js';

/**
 * Returns the listener of an application: direct answers are given without Koa, all others by its middlewares. An error
 * that escapes from an answer is passed to `onStray` and ends its connection.
 */
export function requestListener(
  app: Koa,
  { direct, middlewares }: Mount,
  onStray: (error: unknown) => void,
): RequestListener {
  app.on('error', onStray);
  for (const middleware of middlewares) app.use(middleware);
  const answerByKoa = app.callback();
  return (req, res) => {
    const found = direct(req);
    if (found === undefined) void answerByKoa(req, res);
    else void answerDirectly(found, { req, res, params: found.params }, onStray);
  };
}

async function answerDirectly(
  { answer }: DirectAnswer,
  ctx: Context,
  onStray: (error: unknown) => void,
): Promise<void> {
  try {
    await answer(ctx);
  } catch (error) {
    onStray(error);
    ctx.res.destroy();
  }
}

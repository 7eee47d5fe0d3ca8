import { bodyParser } from '@koa/bodyparser';
import { Router } from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { listen } from '../http/listener.js';
import { answerFigures, measuredTask } from '../testing/measured-process.js';

/** A route that always sends the same answer. */
export interface BareRoute {
  readonly method: 'get' | 'post';
  /** In the syntax of @koa/router. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The text itself, or a file to send. */
  readonly body: string | { readonly file: string };
}

/** A usual setup of Koa, its router and its body parser that sends ready bytes. */
const { method, path, headers, body } = await measuredTask<BareRoute>();
const app = new Koa();
// Downloads are aborted at the end of a run.
app.silent = true;
const router = new Router();
const entries = Object.entries(headers);
const send = (ctx: Context): void => {
  for (const [name, value] of entries) ctx.set(name, value);
  ctx.body = typeof body === 'string' ? body : createReadStream(body.file);
};
if (method === 'post') router.post(path, bodyParser() as unknown as Middleware, send);
else router.get(path, send);
app.use(router.routes() as unknown as Middleware);
const answer = app.callback();
answerFigures(
  await listen(
    createServer((req, res) => void answer(req, res)),
    0,
    '127.0.0.1',
  ),
);

import type { Context } from 'koa';
import t from 'tap';
import { DirectPaths } from './direct-paths.js';

const PATHS = [
  '/',
  '/json',
  '/api/ip',
  '/api/ip/:target',
  '/api/user/me',
  '/api/user/:id',
  '/a/:b/c',
  '/x/:y',
  '/:z/y',
];

/** Returns the route that answers a request, with its parameters; `router` when none does. */
async function answerOf(url: string, method = 'GET'): Promise<string> {
  const direct = new DirectPaths();
  let answer = 'router';
  for (const path of PATHS) {
    direct.add(path, PATHS, (ctx) => {
      answer = `${path} ${JSON.stringify(ctx['params'])}`;
      return Promise.resolve();
    });
  }
  await direct.dispatch({ req: { method, url } } as unknown as Context, () => Promise.resolve());
  return answer;
}

t.test('documented paths are found', async (t) => {
  t.equal(await answerOf('/'), '/ {}');
  t.equal(await answerOf('/json?lang=en'), '/json {}');
  t.equal(await answerOf('/api/ip'), '/api/ip {}');
  t.equal(await answerOf('/api/ip/2001:db8::1'), '/api/ip/:target {"target":"2001:db8::1"}');
  t.equal(
    await answerOf('/api/ip/www.example.com?lang=en&a=/b/'),
    '/api/ip/:target {"target":"www.example.com"}',
  );
});

t.test('all other paths go to the router', async (t) => {
  for (const url of [
    ...['/JSON', '/json/', '/api/ip/', '/api/IP/1.1.1.1', '//api/ip/1.1.1.1', '/api/ip/1.1.1.1/'],
    ...['/api/ip/%31', '/api/ip/a+b', '/api/ip/a%2Fb', '/api/ip/1.1.1.1#x', '/api/ip/ö', '/api/ip/1/sources'],
    ...['http://localhost/api/ip/1.1.1.1', '*', '', '?', '/__proto__', '/constructor'],
  ])
    t.equal(await answerOf(url), 'router', url);
  t.equal(await answerOf('/json', 'HEAD'), 'router');
  t.equal(await answerOf('/json', 'POST'), 'router');
});

t.test('a path that two routes may match is left to the router', async (t) => {
  for (const url of ['/api/user/me', '/api/user/7', '/x/y', '/x/7', '/7/y', '/a/7/c'])
    t.equal(await answerOf(url), 'router', url);
});

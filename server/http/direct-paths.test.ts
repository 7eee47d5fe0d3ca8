import { Router } from '@koa/router';
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

const direct = new DirectPaths();
const router = new Router();
const routes = new Map<unknown, string>();
for (const path of PATHS) {
  const answer = (): Promise<void> => Promise.resolve();
  routes.set(answer, path);
  direct.add(path, PATHS, answer);
  router.get(path, answer);
}

/** Returns the route that answers a request, with its parameters; `router` when none does. */
function answerOf(url: string, method = 'GET'): string {
  const found = direct.find({ method, url });
  return found === undefined ? 'router' : `${routes.get(found.answer)!} ${JSON.stringify(found.params)}`;
}

/** Returns what the router finds, in the same form. Paths of other routes that match as well come later. */
function routedOf(url: string): string {
  const path = url.replace(/\?.*/s, '');
  const [layer] = router.match(path, 'GET').pathAndMethod;
  return `${String(layer!.path)} ${JSON.stringify(layer!.params(path, layer!.captures(path)))}`;
}

t.test('documented paths are found, as the router finds them', (t) => {
  t.equal(answerOf('/'), '/ {}');
  t.equal(answerOf('/json?lang=en'), '/json {}');
  t.equal(answerOf('/api/ip'), '/api/ip {}');
  t.equal(answerOf('/api/ip/2001:db8::1'), '/api/ip/:target {"target":"2001:db8::1"}');
  t.equal(answerOf('/api/ip/www.example.com?lang=en&a=/b/'), '/api/ip/:target {"target":"www.example.com"}');
  for (const url of ['/', '/json?lang=en', '/api/ip', '/api/ip/2001:db8::1', '/api/ip/www.example.com?a=/b/'])
    t.equal(answerOf(url), routedOf(url), url);
  t.end();
});

t.test('all other paths go to the router', (t) => {
  for (const url of [
    ...['/JSON', '/json/', '/api/ip/', '/api/IP/1.1.1.1', '//api/ip/1.1.1.1', '/api/ip/1.1.1.1/'],
    ...['/api/ip/%31', '/api/ip/a+b', '/api/ip/a%2Fb', '/api/ip/1.1.1.1#x', '/api/ip/ö', '/api/ip/1/sources'],
    ...['http://localhost/api/ip/1.1.1.1', '*', '', '?', '/__proto__', '/constructor'],
  ])
    t.equal(answerOf(url), 'router', url);
  t.equal(answerOf('/json', 'HEAD'), 'router');
  t.equal(answerOf('/json', 'POST'), 'router');
  t.end();
});

t.test('a path that two routes may match is left to the router', (t) => {
  for (const url of ['/api/user/me', '/api/user/7', '/x/y', '/x/7', '/7/y', '/a/7/c'])
    t.equal(answerOf(url), 'router', url);
  t.end();
});

import { Validator } from '@seriousme/openapi-schema-validator';
import t from 'tap';
import { publishSmallRelease } from '../testing/small-release.js';
import { runServer } from '../testing/running-server.js';

t.test('the document is valid OpenAPI 3.1, and lists every endpoint once', async (t) => {
  const server = await runServer(t);
  const document = (await server.get('/openapi.json')).body as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  t.equal(document.openapi, '3.1.0');
  const result = await new Validator().validate(document);
  t.same(result.errors ?? [], []);
  t.ok(result.valid);
  for (const path of ['/api/ip/{target}', '/api/datasets/{dataset}/info', '/readyz'])
    t.ok(document.paths[path], path);
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  t.equal(new Set(ids).size, ids.length);
});

t.test(
  'without a release it starts, says why it is not ready, and serves the first one that comes',
  async (t) => {
    const server = await runServer(t, { withRelease: false });
    t.match(await server.get('/readyz'), { status: 503, body: { status: 'no release', release: null } });
    t.match(await server.get('/api/ip/1.1.1.1'), { status: 503, body: { code: 503 } });
    t.equal((await server.get('/healthz')).status, 200);
    const id = await publishSmallRelease(server.outputDir);
    while ((await fetch(`${server.url}/readyz`)).status !== 200) server.running.look();
    t.match(await server.get('/readyz'), { body: { status: 'ready', release: id } });
  },
);

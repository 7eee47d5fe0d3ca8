import t from 'tap';
import { deadlineIn } from '../deadline.js';
import { clientOf, startUpstream } from './testing/loopback-world.js';

const NAME = 'one.test-upstream.example.com';
const limits = () => ({ maxBytes: 10_000, deadline: deadlineIn(5000), maxRedirects: 4 });

t.test('a name is connected to at its address, and the certificate must be for the name', async (t) => {
  const upstream = await startUpstream(t, (request, response) => {
    response.end(`${request.method} ${request.url} ${String(request.headers[':authority'])}`);
  });
  const client = await clientOf(t, { [NAME]: ['127.0.0.1'], 'other.example.com': ['127.0.0.1'] });
  const url = new URL(`https://${NAME}:${upstream.port}/a?b=c`);
  const reply = await client.request({ url, ...limits() });
  t.equal(reply.body.toString(), `GET /a?b=c ${NAME}:${upstream.port}`);
  t.match(reply, { status: 200, address: '127.0.0.1', httpVersion: '2', url });
  const wrong = { url: new URL(`https://other.example.com:${upstream.port}/`), ...limits() };
  await t.rejects(client.request(wrong), { name: 'UpstreamError', reason: 'unreachable' });
});

t.test('fifty questions at once share one HTTP/2 connection', async (t) => {
  const upstream = await startUpstream(t, (_, response) => setTimeout(() => response.end('x'), 50));
  const client = await clientOf(t, { [NAME]: ['127.0.0.1'] });
  const url = new URL(`https://${NAME}:${upstream.port}/dns-query`);
  const body = Buffer.from('question');
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => client.request({ url, method: 'POST', body, ...limits() })),
  );
  t.same(new Set(replies.map(({ body }) => body.toString())), new Set(['x']));
  t.equal(upstream.connectionCount(), 1);
});

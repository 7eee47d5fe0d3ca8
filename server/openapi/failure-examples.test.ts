import t from 'tap';
import { runServer } from '../testing/running-server.js';
import { BUSINESS_EXAMPLES, failureExample } from './failure-examples.js';

const server = await runServer(t);
const keys: Readonly<Record<number, string>> = {
  400: await server.key('enterprise'),
  403: await server.key('free'),
  404: await server.key('enterprise'),
};

t.test('the service answers the calls of the examples with their errors', async (t) => {
  let called = 0;
  for (const [operationId, examples] of Object.entries(BUSINESS_EXAMPLES)) {
    for (const [code, { path }] of Object.entries(examples)) {
      if (path === undefined) continue;
      const key = keys[Number(code)];
      const answer = await server.get(path, key === undefined ? {} : { Authorization: `Bearer ${key}` });
      t.strictSame(answer.body, failureExample(operationId, Number(code)), `${operationId} ${code}`);
      called++;
    }
  }
  t.ok(called >= 20, `${called} calls`);
});

t.test('a code without an example is an error', (t) => {
  t.throws(() => failureExample('lookupIp', 409), { message: 'no example of code 409 for lookupIp' });
  t.end();
});

import { createConfig, lintFromString } from '@redocly/openapi-core';
import t from 'tap';
import { runServer } from '../testing/running-server.js';

const server = await runServer(t);
const document = await (await fetch(`${server.url}/openapi.json`)).text();

/** Returns what the rules that Redocly recommends find in a document. */
async function findings(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, config, absoluteRef: '/openapi.json' });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
  );
}

t.test('a linter has no warning about the document, and has one about a worse document', async (t) => {
  t.strictSame(await findings(document), []);
  const worse = document.replace('"operationId":"lookupIp",', '');
  t.match(await findings(worse), [/^operation-operationId/]);
});

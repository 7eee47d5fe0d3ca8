import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { join } from 'node:path';
import t from 'tap';
import { plainNode } from '../../pipeline/testing/child-process.js';
import { environmentOf, PROJECT } from '../../pipeline/testing/command-line.js';
import { publishSmallRelease } from '../testing/small-release.js';

const MAIN = join(PROJECT, 'dist/pipeline/main.js');

/** Connects to `ipatlas mcp` over its standard input and output. */
async function connect(output: string): Promise<Client> {
  const [command, args] = plainNode(MAIN, 'mcp');
  const env = environmentOf({ OUTPUT: output }) as Record<string, string>;
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command, args: [...args], env, stderr: 'ignore' }));
  t.teardown(() => client.close());
  return client;
}

t.test('the tools answer from a release on this machine, without a server, a key or Redis', async (t) => {
  const folder = t.testdir();
  await publishSmallRelease(folder);
  const client = await connect(folder);
  const { tools } = await client.listTools();
  t.same(
    tools.map(({ name }) => name),
    ['lookup', 'sources', 'route_and_as', 'whois', 'dns', 'global_dns'],
  );
  const { structuredContent } = await client.callTool({
    name: 'lookup',
    arguments: { targets: ['8.8.8.8', 'nonsense', '10.0.0.1'] },
  });
  t.match(structuredContent, {
    results: [
      { target: '8.8.8.8', record: { ip: '8.8.8.8', asn: 15169 } },
      { target: 'nonsense', error: { code: 400 } },
      { target: '10.0.0.1', record: { is_reserved: true } },
    ],
  });
});

t.test('without a release the tools say so', async (t) => {
  const client = await connect(t.testdir());
  const { structuredContent } = await client.callTool({
    name: 'lookup',
    arguments: { targets: ['8.8.8.8'] },
  });
  t.match(structuredContent, { results: [{ error: { code: 503, message: /no release/ } }] });
});

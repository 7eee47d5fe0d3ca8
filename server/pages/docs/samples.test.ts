import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { runServer } from '../../testing/running-server.js';
import { readReference } from './api-pages.js';
import { SAMPLE_ORIGIN, samplesOf } from './samples.js';

const run = promisify(execFile);

/** How each language runs a file with a sample. */
const RUNNERS = [
  { language: 'curl', file: 'sample.sh', command: ['sh'], needs: 'curl' },
  { language: 'JavaScript', file: 'sample.mjs', command: ['node'], needs: 'node' },
  { language: 'Python', file: 'sample.py', command: ['python3'], needs: 'python3' },
  { language: 'Go', file: 'sample.go', command: ['go', 'run'], needs: 'go' },
] as const;

/** A call with a body, one with a key, one with a login, one that saves a file, and one that needs Accept. */
const OPERATIONS = ['lookupIp', 'lookupIpBatch', 'getAccount', 'getUpdateMetadata', 'downloadDataset', 'mcp'];

/** What the sample of the Model Context Protocol gets. */
const MCP_ANSWER = { results: [{ record: { country_code: 'AU' } }] };

const isMissing = (command: string): boolean => spawnSync(command, ['--help']).error !== undefined;

const server = await runServer(t);
const key = await server.key('enterprise');
const account = String((await server.accounts.list())[0]!.id);
const { operations } = readReference();

for (const { language, file, command, needs } of RUNNERS) {
  // Each program in Go is compiled, so one of each kind of sample is enough.
  const skip = isMissing(needs) ? `no ${needs}` : false;
  t.test(`samples in ${language} make their calls`, { skip }, async (t) => {
    for (const id of language === 'Go' ? ['lookupIpBatch', 'getUpdateMetadata'] : OPERATIONS) {
      const answer = await outputOf(t, { id, language, file, command });
      if (id === 'downloadDataset') t.equal(answer, '', id);
      else if (id === 'mcp') t.match(JSON.parse(answer), { result: { structuredContent: MCP_ANSWER } }, id);
      else t.match(JSON.parse(answer), id === 'getUpdateMetadata' ? { databases: [] } : { code: 0 }, id);
    }
  });
}

interface Run {
  readonly id: string;
  readonly language: string;
  readonly file: string;
  readonly command: readonly [string, ...string[]];
}

async function outputOf(t: Test, { id, language, file, command }: Run): Promise<string> {
  const operation = operations.find(({ operationId }) => operationId === id)!;
  const { code } = samplesOf(operation).find((sample) => sample.language === language)!;
  const dir = t.testdir({});
  writeFileSync(join(dir, file), code.replaceAll(SAMPLE_ORIGIN, server.url));
  const [program, ...options] = command;
  const env = { ...process.env, NODE_OPTIONS: '', KEY: key, ACCOUNT: account };
  const { stdout } = await run(program, [...options, file], { cwd: dir, env });
  return stdout;
}

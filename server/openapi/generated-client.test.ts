import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import t from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { runServer } from '../testing/running-server.js';

const run = promisify(execFile);

/** Uses every kind of answer as a customer would. Each line compiles only if the types are as narrow as it needs. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

const client = createClient<paths, 'application/json'>({
  baseUrl: process.argv[2]!,
  querySerializer: { array: { style: 'form', explode: false } },
});
const lookup = await client.GET('/api/ip/{target}', {
  params: { path: { target: '1.1.1.1' }, query: { lang: 'en', fields: ['ip', 'country_code', 'bgp.as'] } },
});
if (lookup.data?.code !== 0) throw new Error(lookup.data?.msg ?? String(lookup.error?.code));
const record: components['schemas']['IpRecord'] = lookup.data.data;
console.log(record.ip, record.country_code, record.bgp.as);

const batch = await client.POST('/api/ip/batch', { body: { ips: ['1.1.1.1', 'no name'] } });
if (batch.data?.code !== 0) throw new Error('no batch');
for (const entry of batch.data.data) console.log('error' in entry ? entry.error : entry.version);

const failed = await client.GET('/api/as-profile/{asn}', { params: { path: { asn: '65551' } } });
if (failed.data === undefined || failed.data.code === 0) throw new Error('found');
const code: 400 | 401 | 403 | 404 = failed.data.code;
console.log(code, failed.data.msg);

const me = await client.GET('/api/user/me', { headers: { Authorization: \`Bearer \${process.argv[3]!}\` } });
if (me.data?.code !== 0) throw new Error('no account');
console.log(me.data.data.plan);

const flat = await client.GET('/json');
if (flat.data === undefined || 'code' in flat.data) throw new Error('no record');
console.log(flat.data.ip);
`;

const SETTINGS = {
  compilerOptions: {
    ...{ target: 'es2023', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true },
    ...{ noUncheckedIndexedAccess: true, skipLibCheck: true, types: ['node'], rootDir: '.', outDir: 'out' },
  },
  files: ['client.ts'],
};

t.test('a client that is generated from the document compiles and runs', async (t) => {
  const server = await runServer(t);
  const document = (await server.get('/openapi.json')).body as OpenAPI3;
  const dir = t.testdir({
    'package.json': '{"type":"module"}',
    'schema.ts': astToString(await openapiTS(document)),
    'client.ts': PROGRAM,
    'tsconfig.json': JSON.stringify(SETTINGS),
  });
  mkdirSync(join(dir, 'out'));
  writeFileSync(join(dir, 'out/package.json'), '{"type":"module"}');
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(dir, 'node_modules'));
  const tsc = join(PROJECT_ROOT, 'node_modules/typescript/bin/tsc');
  const compiled = await run(process.execPath, [tsc, '-p', dir]).catch((error: unknown) => error as Compiled);
  t.equal(compiled.stdout, '', 'no error of the compiler');
  const { stdout } = await run(process.execPath, [
    join(dir, 'out/client.js'),
    server.url,
    await server.key('pro'),
  ]);
  t.strictSame(stdout.trimEnd().split('\n'), [
    '1.1.1.1 AU 13335',
    '4',
    'invalid IP or hostname',
    '404 AS65551 is neither allocated nor announced',
    'Pro',
    '127.0.0.1',
  ]);
});

interface Compiled {
  readonly stdout: string;
}

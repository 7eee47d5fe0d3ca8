import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mmdblookup } from '../mmdb/testing/oracles.js';
import { PROJECT } from '../testing/command-line.js';
import { allFields, MODEL_FIELDS, MODEL_TYPES, MODELS, type Asked, type Client } from './client.js';
import { linesOf, runProgram } from './run-program.js';

const GO = ['golang-go', 'golang-github-oschwald-maxminddb-golang-dev'];

/** Libraries of programming languages, other than Node’s. Those with methods for models check database types; the others read any file. */
export const LIBRARIES: readonly Client[] = [
  {
    name: 'mmdblookup',
    from: { debian: ['mmdb-bin'] },
    questions: allFields('paths', ({ file, fields, addresses }) =>
      addresses.map((ip) => {
        const values = fields.map((path) => mmdblookup(file, ip, path.split('.'))?.text ?? '');
        return values.map((text) => (text === 'false' ? '' : text)).join('\t');
      }),
    ),
  },
  byPaths(
    'Python maxminddb, C',
    ['python3-maxminddb'],
    ['/usr/bin/python3', probe('read_maxminddb.py'), 'extension'],
  ),
  byPaths(
    'Python maxminddb, pure',
    ['python3-maxminddb'],
    ['/usr/bin/python3', probe('read_maxminddb.py'), 'python'],
  ),
  byMethods('Python geoip2', ['python3-geoip2'], ['/usr/bin/python3', probe('read_geoip2.py')]),
  byPaths('Perl MaxMind::DB::Reader', ['libmaxmind-db-reader-perl'], ['perl', probe('maxmind-db-reader.pl')]),
  byMethods('Perl GeoIP2', ['libgeoip2-perl'], ['perl', probe('geoip2.pl')]),
  byPaths('Go maxminddb', [GO[1]!, GO[0]!], ['go', 'run', probe('maxminddb.go')]),
  byMethods(
    'Go geoip2',
    ['golang-github-oschwald-geoip2-golang-dev', ...GO],
    ['go', 'run', probe('geoip2.go')],
  ),
  byPaths('PHP maxminddb', ['php-maxminddb', 'php-cli'], ['php', probe('maxminddb.php')]),
  byPaths('Ruby maxminddb', ['ruby-maxminddb', 'ruby'], ['ruby', probe('maxminddb.rb')]),
  byPaths('Lua mmdb', ['lua-mmdb', 'lua5.3'], ['lua5.3', probe('mmdb.lua')]),
];

function probe(name: string): string {
  return join(PROJECT, 'pipeline/clients/probes', name);
}

/** A client whose probe takes a file, paths and addresses. */
function byPaths(name: string, debian: readonly string[], command: readonly string[]): Client {
  const ask = async ({ file, fields, addresses }: Asked): Promise<string[]> =>
    linesOf(
      await runProgram({ command: [...command, file, fields.join(','), ...addresses], env: GO_FOLDERS }),
    );
  return { name, from: { debian }, questions: allFields('paths', ask) };
}

/** A client whose probe takes a file, a method of GeoIP2 and addresses. */
function byMethods(name: string, debian: readonly string[], command: readonly string[]): Client {
  const questions = MODELS.map((model) => ({
    asked: `\`${model}()\``,
    types: MODEL_TYPES[model],
    fields: MODEL_FIELDS[model],
    ask: async ({ file, addresses }: Asked): Promise<string[]> =>
      linesOf(await runProgram({ command: [...command, file, model, ...addresses], env: GO_FOLDERS })),
  }));
  return { name, from: { debian }, questions };
}

/** Where Debian installs the sources of Go's packages. */
const GO_FOLDERS = {
  GO111MODULE: 'off',
  GOPATH: '/usr/share/gocode',
  GOCACHE: join(tmpdir(), 'ipatlas-clients-go'),
};

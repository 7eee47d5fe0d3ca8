import type { Operation } from './api-operations.js';

/** A program that makes the call of an example. */
export interface Sample {
  readonly language: string;
  readonly code: string;
}

/** The origin in samples, which a script replaces by that of the page. */
export const SAMPLE_ORIGIN = 'http://localhost:8080';

/** What the samples of an operation send. */
type Call = Pick<
  Operation,
  'method' | 'examplePath' | 'exampleNeedsKey' | 'login' | 'exampleAccept' | 'exampleBody' | 'saveAs'
>;

/** Returns a sample in each language. Keys are read from the environment: `KEY`, and `ACCOUNT` for updates. */
export function samplesOf(call: Call): readonly Sample[] {
  return [
    { language: 'curl', code: curl(call) },
    { language: 'JavaScript', code: javascript(call) },
    { language: 'Python', code: python(call) },
    { language: 'Go', code: go(call) },
  ];
}

function urlOf({ examplePath }: Call): string {
  return `${SAMPLE_ORIGIN}${examplePath}`;
}

function authOf({ exampleNeedsKey, login }: Call): 'none' | 'bearer' | 'basic' {
  if (!exampleNeedsKey) return 'none';
  return login === 'basic' ? 'basic' : 'bearer';
}

/** Returns the headers besides that of the key. */
function headersOf({ exampleAccept, exampleBody }: Call): readonly (readonly [string, string])[] {
  return [
    ...(exampleAccept === undefined ? [] : [['Accept', exampleAccept] as const]),
    ...(exampleBody === undefined ? [] : [['Content-Type', 'application/json'] as const]),
  ];
}

function curl(call: Call): string {
  const auth = { none: '', bearer: ' -H "Authorization: Bearer $KEY"', basic: ' -u "$ACCOUNT:$KEY"' };
  const headers = headersOf(call).map(([name, value]) => `-H '${name}: ${value}' `);
  const data = call.exampleBody === undefined ? '' : ` \\\n  ${headers.join('')}-d '${call.exampleBody}'`;
  const output = call.saveAs === undefined ? '' : ` -o ${call.saveAs}`;
  return `curl -s${auth[authOf(call)]} '${urlOf(call)}'${data}${output}`;
}

function javascript(call: Call): string {
  const auth = {
    none: [],
    bearer: ['Authorization: `Bearer ${process.env.KEY}`'],
    basic: ['Authorization: `Basic ${btoa(`${process.env.ACCOUNT}:${process.env.KEY}`)}`'],
  }[authOf(call)];
  const headers = [
    ...auth,
    ...headersOf(call).map(([name, value]) => `${name.includes('-') ? `'${name}'` : name}: '${value}'`),
  ];
  const options = [
    ...(call.method === 'GET' ? [] : [`  method: '${call.method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(call.exampleBody === undefined ? [] : [`  body: '${call.exampleBody}',`]),
  ];
  const init = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  const head = call.saveAs === undefined ? '' : "import { writeFile } from 'node:fs/promises';\n\n";
  const rest =
    call.saveAs === undefined
      ? 'console.log(await response.text());'
      : `await writeFile('${call.saveAs}', Buffer.from(await response.arrayBuffer()));`;
  return `${head}const response = await fetch('${urlOf(call)}'${init});\n${rest}`;
}

function python(call: Call): string {
  const login = authOf(call) === 'basic' ? [`login = f"{os.environ['ACCOUNT']}:{os.environ['KEY']}"`] : [];
  const headers = pythonHeaders(call);
  const body = call.exampleBody === undefined ? '' : `, b'${call.exampleBody}'`;
  const sent = headers.length === 0 ? '' : `, headers={\n${headers.join('\n')}\n}`;
  const save =
    call.saveAs === undefined
      ? ['    print(response.read().decode())']
      : [`    with open("${call.saveAs}", "wb") as file:`, '        shutil.copyfileobj(response, file)'];
  return [
    ...pythonModules(call),
    'from urllib.request import Request, urlopen',
    '',
    ...login,
    `request = Request("${urlOf(call)}"${body}${sent})`,
    'with urlopen(request) as response:',
    ...save,
  ].join('\n');
}

function pythonModules(call: Call): readonly string[] {
  const auth = { none: [], bearer: ['import os'], basic: ['import base64', 'import os'] }[authOf(call)];
  return call.saveAs === undefined ? auth : [...auth, 'import shutil'];
}

function pythonHeaders(call: Call): readonly string[] {
  const auth = {
    none: [],
    bearer: [`    "Authorization": f"Bearer {os.environ['KEY']}",`],
    basic: ['    "Authorization": "Basic " + base64.b64encode(login.encode()).decode(),'],
  }[authOf(call)];
  return [...auth, ...headersOf(call).map(([name, value]) => `    "${name}": "${value}",`)];
}

function go(call: Call): string {
  const auth = {
    none: [],
    bearer: ['\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))'],
    basic: ['\trequest.SetBasicAuth(os.Getenv("ACCOUNT"), os.Getenv("KEY"))'],
  }[authOf(call)];
  const hasBody = call.exampleBody !== undefined;
  const body = hasBody ? `strings.NewReader(\`${call.exampleBody}\`)` : 'nil';
  const content = headersOf(call).map(([name, value]) => `\trequest.Header.Set("${name}", "${value}")`);
  const modules = ['io', 'log', 'net/http', 'os', ...(hasBody ? ['strings'] : [])];
  const output =
    call.saveAs === undefined
      ? ['\tio.Copy(os.Stdout, response.Body)']
      : [
          `\tfile, err := os.Create("${call.saveAs}")`,
          ...CHECK,
          '\tdefer file.Close()',
          '\tio.Copy(file, response.Body)',
        ];
  return [
    'package main',
    '',
    `import (\n${modules.map((name) => `\t"${name}"`).join('\n')}\n)`,
    '',
    'func main() {',
    `\trequest, err := http.NewRequest("${call.method}", "${urlOf(call)}", ${body})`,
    ...CHECK,
    ...auth,
    ...content,
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...CHECK,
    '\tdefer response.Body.Close()',
    ...output,
    '}',
  ].join('\n');
}

/** How Go handles an error. */
const CHECK = ['\tif err != nil {', '\t\tlog.Fatal(err)', '\t}'];

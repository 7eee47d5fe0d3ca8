import { EXAMPLES, type Example } from './examples.js';

/** Returns the example of an operation: a curl command and its answer, or an empty text without an example. */
export function exampleOf(operationId: string): string {
  const example = EXAMPLES[operationId];
  if (example === undefined) return '';
  const { answer, saveAs = 'dataset.mmdb' } = example;
  if (answer === undefined) return `\`\`\`sh\n${curlOf(example)} -o ${saveAs}\n\`\`\``;
  const isText = typeof answer === 'string';
  const text = isText ? answer.trimEnd() : shortJson(answer);
  return `\`\`\`sh\n${curlOf(example)}\n\`\`\`\n\n\`\`\`${isText ? 'text' : 'json'}\n${text}\n\`\`\``;
}

function curlOf({ path, withKey, withLogin, accept, body }: Example): string {
  const login = withLogin === true ? ' -u "$ACCOUNT:$KEY"' : '';
  const key = withKey === true ? ' -H "Authorization: Bearer $KEY"' : login;
  const form = accept === undefined ? '' : ` -H 'Accept: ${accept}'`;
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  return `curl -s${key}${form}${data} 'http://localhost:8080${path}'`;
}

/** JSON with objects of up to 100 characters on one line; of long lists of equals the first and last. */
function shortJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value).replace(
    /("(?:[^"\\]|\\.)*")|([:,])/g,
    (_, text?: string, mark = '') => text ?? `${mark} `,
  );
  if (line.length + indent.length <= 100 || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const all = value.map((one: unknown) => `${inner}${shortJson(one, inner)}`);
    const some = all.length > 10 ? [all[0]!, `${inner}…`, all.at(-1)!] : all;
    return `[\n${some.join(',\n')}\n${indent}]`;
  }
  const fields = Object.entries(value).map(([key, one]) => `${inner}"${key}": ${shortJson(one, inner)}`);
  return `{\n${fields.join(',\n')}\n${indent}}`;
}

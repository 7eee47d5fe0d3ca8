import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { EXAMPLES } from '../openapi/examples.js';
import { termsOf } from '../openapi/operation-terms.js';
import type { Parts } from '../parts.js';
import { routesOf } from '../routes/catalogue.js';
import { requireRoute, type RouteCaller } from './route-caller.js';
import { TOOLS } from './tools.js';

/** One call of each tool, for a single target. */
const INPUTS: Readonly<Record<string, unknown>> = {
  lookup: { targets: ['1.1.1.1'], lang: 'en' },
  sources: { target: '1.1.1.1', lang: 'en' },
  route_and_as: { target: '1.1.1.0/24' },
  whois: { target: 'example.com' },
  dns: { name: 'example.com' },
  global_dns: { name: 'example.com', type: 'A', regions: [1], lang: 'en' },
  tcping: { target: 'example.com:443', count: 4 },
};

// Routes use their parts only when they answer.
const routes = routesOf({} as Parts);

/** Returns the `x-credits` of the endpoints that a tool calls. They answer their examples. */
async function pricesOf(name: string): Promise<string[]> {
  const prices: string[] = [];
  const call: RouteCaller = (operationId) => {
    prices.push(String(termsOf(requireRoute(routes, operationId))['x-credits']));
    return Promise.resolve((EXAMPLES[operationId]!.answer as { readonly data: unknown }).data);
  };
  await TOOLS.find((tool) => tool.name === name)!.run(INPUTS[name], call);
  return prices;
}

/** Returns the first price in a text, and, if stated, the one from a node. */
function pricesIn(text: string): (number | '' | undefined)[] {
  const [, first = ''] = /\b(\d+|free|one|two)\b/i.exec(text) ?? [];
  const [, fromNode] = /(\d+) from a node/.exec(text) ?? [];
  return [first.toLowerCase(), fromNode].map((one) => one && Number(WORDS[one] ?? one));
}
const WORDS: Readonly<Record<string, string>> = { free: '0', one: '1', two: '2' };

const guide = readFileSync(join(PROJECT_ROOT, 'server/mcp/README.md'), 'utf8');

t.test('the description and the guide of each tool have the prices of its endpoints', async (t) => {
  for (const { name, description } of TOOLS) {
    const prices = await pricesOf(name);
    t.ok(prices.length > 0, name);
    const expected = prices.map(pricesIn).reduce((a, b) => (a[0]! >= b[0]! ? a : b));
    t.same(pricesIn(description.slice(description.search(/\b(?:Free|One|Two)\b/))), expected, description);
    const row = new RegExp(`^\\| \`${name}\` \\|.*\\| (.*) \\|$`, 'm').exec(guide);
    t.same(pricesIn(row![1]!), expected, `the guide: ${row![1]}`);
  }
});

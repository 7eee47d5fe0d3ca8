import { z } from 'zod';
import { limitHeaders, responseReference } from './components.js';
import { EXAMPLES } from './examples.js';
import type { Json, NamedSchemas } from './named-schemas.js';

/** The path and the tag of the endpoint of tools. */
export const MCP_PATH = '/mcp';
export const MCP_TAG = 'MCP';

const id = z.union([z.string(), z.int()]);
const version = z.literal('2.0').describe('Version of JSON-RPC');

const message = z.looseObject({
  jsonrpc: version,
  id: id.exactOptional().describe('Absent in a notification, which has no answer'),
  method: z.string().describe('Such as `initialize`, `tools/list` or `tools/call`'),
  params: z
    .looseObject({})
    .exactOptional()
    .describe('Parameters of the method; of `tools/call` the `name` of the tool and its `arguments`'),
});

const reply = z.looseObject({
  jsonrpc: version,
  id: id.nullable().describe('That of the message'),
  result: z
    .looseObject({})
    .exactOptional()
    .describe('Of `tools/call`: `structuredContent`, or `isError` with the reason'),
  error: z
    .looseObject({
      code: z.int().describe('Code of JSON-RPC, negative'),
      message: z.string().describe('What is wrong with the message'),
    })
    .exactOptional()
    .describe('Only for a message that the protocol refuses'),
});

/**
 * Describes the endpoint of tools. It is written by hand, because its package answers in the forms of the Model Context
 * Protocol, and not in those of the endpoints.
 */
export function mcpOperation(schemas: NamedSchemas): Json {
  const { body, answer } = EXAMPLES['mcp']!;
  const json = { schema: schemas.ofOutput(reply) };
  const headers = limitHeaders();
  const refused = (description: string) => ({
    description,
    headers,
    content: { 'application/json': json, 'text/plain': { schema: { type: 'string' } } },
  });
  return {
    operationId: 'mcp',
    tags: [MCP_TAG],
    summary: 'A message of the Model Context Protocol: JSON-RPC 2.0 over Streamable HTTP, without sessions.',
    description: 'The key is optional, and pays for the endpoints that a tool calls.',
    externalDocs: { url: 'https://modelcontextprotocol.io/specification' },
    ...{ 'x-key': 'optional', 'x-credits': 'those of its calls', 'x-bucket': 'mcp', 'x-errors': {} },
    security: [{}, { bearer: [] }],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.ofInput(message), example: body } },
    },
    responses: {
      '200': {
        description: 'The answer',
        headers,
        content: {
          'application/json': { ...json, examples: { success: { summary: 'Success', value: answer } } },
        },
      },
      '202': { description: 'A notification was accepted', headers },
      '400': refused('The body is not a message of the protocol'),
      '404': refused('The method is unknown'),
      '406': refused('`Accept` does not have both `application/json` and `text/event-stream`'),
      ...Object.fromEntries(
        ['405', '408', '413', '429', '500', '503'].map((status) => [
          status,
          responseReference(`Text${status}`),
        ]),
      ),
    },
  };
}

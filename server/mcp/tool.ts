import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Failure } from '../failure.js';
import type { RouteCaller } from './route-caller.js';

/** One tool: what it accepts, what it answers, and how it asks the endpoints. */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** An object. */
  readonly output: z.ZodType;
  /** Whether it also works without accounts, in `ipatlas mcp`. */
  readonly isLocal: boolean;
  /** Returns the structured content. Throws Failure. */
  readonly run: (input: Input, call: RouteCaller) => Promise<unknown>;
}

/** Type-checks a tool with its own input and returns it as a plain `Tool`. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}

/** Why one target of a tool, or the tool as a whole, has failed: the code and message of the API. */
export const errorSchema = z
  .object({ code: z.int().describe('Code of the API'), message: z.string() })
  .describe('Why this item failed');

/** The error of an item. Errors of the server itself are thrown on. */
export function itemError(error: unknown): { readonly error: z.infer<typeof errorSchema> } {
  if (!(error instanceof Failure)) throw error;
  return { error: { code: error.code, message: error.message } };
}

/** Runs a tool. A failure of the API becomes an error of the tool, which the model can read. */
export async function runTool(tool: Tool, input: unknown, call: RouteCaller): Promise<CallToolResult> {
  try {
    const found = (await tool.run(input, call)) as Record<string, unknown>;
    return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { isError: true, content: [{ type: 'text', text: `error ${error.code}: ${error.message}` }] };
  }
}

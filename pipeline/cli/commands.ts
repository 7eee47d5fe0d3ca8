import type { Command } from 'commander';
import type { CommandContext } from './context.js';

/** Adds the commands of one module to the program. */
type AddCommands = (program: Command, context: CommandContext) => void;

/** A module of commands. */
interface CommandModule {
  readonly names: readonly string[];
  readonly load: () => Promise<AddCommands>;
}

/** All commands, in the order of the help. */
export const COMMAND_MODULES: readonly CommandModule[] = [
  {
    names: ['build', 'worker'],
    load: async () => (await import('./build-commands.js')).addBuildCommands,
  },
  { names: ['notify'], load: async () => (await import('./notify-command.js')).addNotifyCommand },
  { names: ['fetch'], load: async () => (await import('./fetch-command.js')).addFetchCommand },
  {
    names: ['inspect', 'verify'],
    load: async () => (await import('./file-commands.js')).addFileCommands,
  },
  { names: ['edition'], load: async () => (await import('./edition-command.js')).addEditionCommand },
  { names: ['export'], load: async () => (await import('./export-command.js')).addExportCommand },
  { names: ['lookup'], load: async () => (await import('./lookup-command.js')).addLookupCommand },
  { names: ['pull'], load: async () => (await import('./pull-command.js')).addPullCommand },
  { names: ['key'], load: async () => (await import('./key-command.js')).addKeyCommands },
  {
    names: ['releases', 'compare', 'rollback', 'release', 'unpin'],
    load: async () => (await import('./release-commands.js')).addReleaseCommands,
  },
  { names: ['report'], load: async () => (await import('./report-command.js')).addReportCommand },
  { names: ['evaluate'], load: async () => (await import('./evaluate-commands.js')).addEvaluateCommand },
  { names: ['calibrate'], load: async () => (await import('./evaluate-commands.js')).addCalibrateCommand },
  { names: ['serve'], load: async () => (await import('./serve-command.js')).addServeCommand },
  { names: ['mcp'], load: async () => (await import('./mcp-command.js')).addMcpCommand },
  {
    names: ['conformance'],
    load: async () => (await import('./conformance-command.js')).addConformanceCommand,
  },
  { names: ['node'], load: async () => (await import('./node-command.js')).addNodeCommands },
  {
    names: ['probe-agent'],
    load: async () => (await import('./probe-agent-command.js')).addProbeAgentCommand,
  },
  { names: ['doctor'], load: async () => (await import('./doctor-command.js')).addDoctorCommand },
];

/** Adds the command that the arguments name, or all commands for the help and for an unknown name. */
export async function addCommands(
  program: Command,
  context: CommandContext,
  argv: readonly string[],
): Promise<void> {
  const name = argv.find((arg) => !arg.startsWith('-'));
  const named = COMMAND_MODULES.filter(({ names }) => names.some((one) => one === name));
  for (const { load } of named.length > 0 ? named : COMMAND_MODULES) (await load())(program, context);
}

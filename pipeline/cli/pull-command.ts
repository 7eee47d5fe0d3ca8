import { readFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { describeSystemError } from '../release/system-error.js';
import { printableLine } from '../text/printable.js';
import { print, type CommandContext } from './context.js';
import { UsageError } from './usage-error.js';

/** The names of the datasets in paths of the API. */
const PATHS = { geo: 'mmdb', asn: 'asn', isp: 'isp' } as const;

interface PullOptions {
  readonly keyFile: string;
  readonly dataset: keyof typeof PATHS;
  readonly into: string;
}

/** Adds `pull`. Its modules are loaded when it runs. */
export function addPullCommand(program: Command, context: CommandContext): void {
  const { environment } = context;
  program
    .command('pull')
    .description(
      'bring a downloaded dataset up to date: rebuild it from the changes, or fetch it whole; the old file stays on an error',
    )
    .argument('<url>', 'URL of the server, such as https://ip.example.com')
    .requiredOption('--key-file <path>', 'file with an enterprise API key')
    .addOption(new Option('--dataset <name>', 'dataset').choices(Object.keys(PATHS)).default('geo'))
    .option('--into <folder>', 'folder of the file <dataset>.mmdb', '.')
    .action(async (url: string, { keyFile, dataset, into }: PullOptions) => {
      if (!/^https?:\/\/./.test(url) || !URL.canParse(url))
        throw new UsageError(`invalid URL "${url}": expected an http: or https: URL`);
      const key = (await readFile(keyFile, 'utf8')).trim();
      if (!/^[!-~]{1,1000}$/.test(key))
        throw new UsageError(`no key in ${keyFile}: expected one line with an API key`);
      const [{ pull }, { PullError, PullSource }] = await Promise.all([
        import('./pull.js'),
        import('./pull-source.js'),
      ]);
      const source = new PullSource(new URL(url), `/api/datasets/${PATHS[dataset]}`, key);
      const say = (line: string): void => void environment.stderr.write(`${printableLine(line)}\n`);
      const pulled = await pull({ source, dataset, into, say }).catch((error: unknown) => {
        const text = describeSystemError(error, into);
        throw text === undefined ? error : new PullError(text, { cause: error });
      });
      print(pulled, describe(pulled), context);
    });
}

function describe({
  how,
  sha256,
  receivedBytes,
}: {
  how: string;
  sha256: string;
  receivedBytes: number;
}): string {
  return how === 'unchanged' ? `unchanged: ${sha256}` : `${how}: ${sha256}, ${receivedBytes} bytes received`;
}

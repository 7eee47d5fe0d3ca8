import { Option, type Command } from 'commander';
import { STDOUT } from '../export/block-writer.js';
import { FORMATS, type FormatName } from '../export/formats.js';
import { FILTER_KEYS } from '../export/where.js';
import { grouped, sizeText } from '../text/figure-text.js';
import { printableLines } from '../text/printable.js';
import { print, type CommandContext } from './context.js';
import { exportDataset, type ExportFlags, type Exported } from './export-dataset.js';

/** Adds `export`. */
export function addExportCommand(program: Command, context: CommandContext): void {
  const formats = Object.entries(FORMATS).map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}`);
  program
    .command('export')
    .description(
      'write a dataset in a format that other software reads; only the networks that pass the filters',
    )
    .argument('<dataset>', 'path of an .mmdb file, or a dataset of a release: geo, asn, isp, download/geo, …')
    .addOption(
      new Option('--format <format>', 'see below').choices(Object.keys(FORMATS)).makeOptionMandatory(),
    )
    .option('--where <filter...>', 'country=CN,HK, as=AS13335, cloud=Google or proxy=VPN; * is any value')
    .option('--release <id>', 'release of the dataset; the current one by default')
    .option(
      '-o, --out <path>',
      'the file to write, or the folder for geolite2-csv and xdb; - is standard output; <dataset>.<format> by default',
    )
    .option('--ranges', 'csv: also write the first and the last address of each network')
    .option('--no-comments', 'csv: write the terms to <path>.LICENSE.txt, not to the first lines')
    .option('--name <name>', 'nginx, ipset, nft: the name of the variable or the set')
    .addOption(
      new Option('--value <property>', 'nginx: the property that the variable holds').choices(FILTER_KEYS),
    )
    .addOption(
      new Option('--lang <language>', 'xdb: the language of names; zh by default').choices(['en', 'zh']),
    )
    .addHelpText('after', `\nFormats:\n${formats.join('\n')}`)
    .action(async (dataset: string, flags: ExportFlags & { format: FormatName }) => {
      const exported = await exportDataset(dataset, flags, context.environment);
      if (exported.files.every(({ path }) => path !== STDOUT)) print(exported, describe(exported), context);
    });
}

function describe({ files, notice }: Exported): string {
  const lines = files.map(({ path, rows, sizeBytes }) => {
    const counted = rows === 0 ? '' : `${grouped(rows)} ${rows === 1 ? 'row' : 'rows'}, `;
    return `${path}: ${counted}${sizeText(sizeBytes)}`;
  });
  return printableLines([...lines, ...notice.filter((line) => line.startsWith('Terms: '))]);
}

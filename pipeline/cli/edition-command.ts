import type { Command } from 'commander';
import { grouped } from '../text/figure-text.js';
import { printableLines } from '../text/printable.js';
import { print, type CommandContext } from './context.js';
import { makeEdition, type MadeEdition } from './make-edition.js';

/** Adds `edition`. */
export function addEditionCommand(program: Command, context: CommandContext): void {
  program
    .command('edition')
    .description(
      'write an MMDB file of ours under a database type that another client requires, such as GeoLite2-City',
    )
    .argument('<file>', 'path of geo.mmdb, asn.mmdb or isp.mmdb, of a release or downloaded')
    .argument('<type>', 'the database type; an invalid one is answered with those that the file can have')
    .option('-o, --out <file>', 'the file to write; <type>.mmdb in this folder by default')
    .action(async (file: string, type: string, { out = `${type}.mmdb` }: { out?: string }) => {
      const made = await makeEdition(file, type, out);
      print(made, describe(made), context);
    });
}

function describe({ out, type, sizeBytes, sha256, md5 }: MadeEdition): string {
  return printableLines([
    `${out}: ${type}, ${grouped(sizeBytes)} bytes`,
    `  sha256 ${sha256}`,
    `  md5 ${md5}`,
  ]);
}

import type { Command } from 'commander';
import { printableLine } from '../text/printable.js';
import type { CommandContext } from './context.js';
import { UsageError } from './usage-error.js';
import { CONFORMANCE_VARIABLES, describeVariables } from './variables.js';

interface ConformanceOptions {
  readonly host: string;
  readonly domain: string;
  readonly open: string;
  readonly failing?: string;
  readonly hidden?: string;
  readonly refusedPort: string;
  readonly manyPorts?: string;
}

/** Adds `conformance`. Its modules are loaded when it runs. */
export function addConformanceCommand(program: Command, { environment, setExitCode }: CommandContext): void {
  program
    .command('conformance')
    .description(
      'check a running service against its API reference: every endpoint, then every rule; exit code 1 on a failure',
    )
    .argument('<url>', 'URL of the service, such as http://127.0.0.1:8080')
    .option('--host <name>', 'a host name that has an address', 'www.wikipedia.org')
    .option('--domain <name>', 'a registered domain', 'wikipedia.org')
    .option('--open <host:port>', 'a host and port that accept TCP connections', 'one.one.one.one:443')
    .option(
      '--failing <host>',
      'a host name that its name servers fail to resolve; its rule is skipped without it',
    )
    .option('--hidden <host>', 'a host name with private addresses only; its rule is skipped without it')
    .option('--refused-port <port>', 'a port that the service refuses to probe', '25')
    .option(
      '--many-ports <host>',
      'a host of yours, of which 101 ports are probed with the enterprise key; its rule is skipped without it',
    )
    .addHelpText('after', `\nEnvironment:\n${describeVariables(CONFORMANCE_VARIABLES)}`)
    .action(async (url: string, chosen: ConformanceOptions) => {
      if (!/^https?:\/\/./.test(url))
        throw new UsageError(`invalid URL "${url}": expected an http: or https: URL`);
      const { runConformance } = await import('../../server/conformance/run-conformance.js');
      const { readVariable } = environment;
      const key = readVariable('IPATLAS_KEY');
      const enterpriseKey = readVariable('IPATLAS_ENTERPRISE_KEY');
      const subjects = { ...chosen, key, enterpriseKey, ...WELL_KNOWN };
      const printLine = (line: string): void => void environment.stdout.write(`${printableLine(line)}\n`);
      const { failed } = await runConformance(url, subjects, printLine);
      if (failed.length > 0) setExitCode(1);
    });
}

/** Cloudflare's resolver, which every geolocation database and every routing table contains. */
const WELL_KNOWN = { ip: '1.1.1.1', asn: 13_335, prefix: '1.1.1.0/24' } as const;

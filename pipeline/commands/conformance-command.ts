import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import { UsageError } from './usage-error.js';

interface ConformanceOptions {
  readonly host: string;
  readonly domain: string;
  readonly open: string;
  readonly failing?: string;
  readonly hidden?: string;
}

/** `conformance`. What it runs on is loaded when it runs. */
export function addConformanceCommand(program: Command, { environment, setExitCode }: CommandContext): void {
  program
    .command('conformance')
    .description(
      'hold a service against its description: every endpoint, then every rule; exit code 1 on a failure',
    )
    .argument('<url>', 'where it answers, such as http://127.0.0.1:8080')
    .option('--host <name>', 'a host with an address', 'www.wikipedia.org')
    .option('--domain <name>', 'a registered domain', 'wikipedia.org')
    .option('--open <host:port>', 'what takes TCP connections', 'one.one.one.one:443')
    .option('--failing <host>', 'a host whose name servers fail; its rule is skipped without')
    .option('--hidden <host>', 'a host with private addresses only; its rule is skipped without')
    .addHelpText('after', KEYS)
    .action(async (url: string, chosen: ConformanceOptions) => {
      if (!/^https?:\/\/./.test(url)) throw new UsageError(`"${url}" is no http: or https: URL`);
      const { runConformance } = await import('../../server/conformance/run-conformance.js');
      const { readVariable } = environment;
      const key = readVariable('IPATLAS_KEY');
      const enterpriseKey = readVariable('IPATLAS_ENTERPRISE_KEY');
      const subjects = { ...chosen, ...{ key, enterpriseKey }, ...KNOWN_TO_ALL };
      const say = (line: string): void => void process.stdout.write(`${line}\n`);
      const { failed } = await runConformance(url, subjects, say);
      if (failed.length > 0) setExitCode(1);
    });
}

/** Cloudflare's resolver, in every geolocation database and every routing table. */
const KNOWN_TO_ALL = { ip: '1.1.1.1', asn: 13_335, prefix: '1.1.1.0/24' } as const;

const KEYS = `
Environment:
  IPATLAS_KEY             a key of the service; what needs one is skipped without
  IPATLAS_ENTERPRISE_KEY  one of the enterprise plan, for downloads
`;

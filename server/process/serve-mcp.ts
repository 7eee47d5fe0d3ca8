import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { CountryNames } from '../../pipeline/record/language.js';
import type { ServerConfig } from '../config.js';
import { FirstAddress } from '../dns/first-address.js';
import { GlobalDns } from '../global-dns/global-dns.js';
import { IpRecords } from '../lookup/ip-record.js';
import { openEgress } from './open-egress.js';
import { ReleaseHistory } from '../release/release-history.js';
import { ServedReleases } from '../release/serve-releases.js';
import { asProfile } from '../routes/as-profile.js';
import { asTopology } from '../routes/as-topology.js';
import { dnsQuery } from '../routes/dns-query.js';
import { dnsRecords } from '../routes/dns-records.js';
import { globalDnsQuery } from '../routes/global-dns-query.js';
import { globalDnsRegions } from '../routes/global-dns-regions.js';
import { ipLookup } from '../routes/ip-lookup.js';
import { ipSources } from '../routes/ip-sources.js';
import { prefixUpstreams } from '../routes/prefix-upstreams.js';
import { whois } from '../routes/whois.js';
import { readReservedSpace } from '../targets/reserved-space.js';
import { openWhois } from '../whois/open-whois.js';
import { localCaller } from '../mcp/local-caller.js';
import { newMcpServer } from '../mcp/mcp-server.js';
import { TOOLS } from '../mcp/tools.js';

/** The settings of a local server. It has no accounts, so it needs no Redis. */
export type LocalSettings = Omit<ServerConfig, 'redis'>;

/**
 * Serves the tools on standard input and output from the current release, until the input ends. Follows new releases.
 * Messages go to `log`.
 */
export async function serveMcpLocally(config: LocalSettings, log: (line: string) => void): Promise<void> {
  const reserved = await readReservedSpace(config.registryDir);
  const releases = new ServedReleases({
    outputDir: config.outputDir,
    releasePollMs: config.releasePollMs,
    onRefused: ({ id = 'current', reason }) => {
      log(`refused release ${id}: ${reason}`);
    },
  });
  await releases.start();
  if (releases.current() === undefined)
    log('no release yet: run "make build-data"; it is used as soon as it is published');
  const egress = openEgress(config, reserved);
  const registrations = openWhois(config, { ...egress, log });
  const history = new ReleaseHistory(config.outputDir);
  const parts = {
    reserved,
    history,
    dns: egress.bulkDns,
    resolver: new FirstAddress(egress.dns),
    records: new IpRecords({ reserved, countries: new CountryNames() }),
    globalDns: new GlobalDns({ http: egress.http, upstreams: config.upstreams }),
    whois: registrations.whois,
  };
  const routes = [
    ...[ipLookup(parts), ipSources(parts), prefixUpstreams, asProfile, asTopology, whois(parts)],
    ...[dnsRecords(parts), dnsQuery(parts), globalDnsRegions, globalDnsQuery(parts)],
  ];
  const call = localCaller(routes, releases.current);
  const tools = TOOLS.filter(({ isLocal }) => isLocal);
  const connection = serveStdio(() => newMcpServer(tools, call), {
    onerror: ({ message }) => {
      log(message);
    },
  });
  await new Promise((resolve) => process.stdin.once('end', resolve));
  await connection.close();
  await Promise.all([releases.stop(), history.close(), egress.http.close()]);
  registrations.close();
}

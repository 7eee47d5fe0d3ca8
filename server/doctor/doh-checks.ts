import { VANTAGE_POINTS } from '../../pipeline/vantage-points/catalogue.js';
import type { DohResolver } from '../config.js';
import type { Deadline } from '../deadline.js';
import { decodeResponse, encodeQuery, type Query } from '../dns/message.js';
import type { HttpClient } from '../egress/http-client.js';
import { exchangeOverHttps } from '../global-dns/doh-exchange.js';
import { EdgeWorkerClient } from '../global-dns/edge-worker-client.js';
import { UpstreamError } from '../upstream-error.js';
import type { Check } from './check.js';

/** Checks that each resolver answers over HTTP/2, and reports whether it forwards a client subnet. */
export function dohChecks(
  http: Pick<HttpClient, 'request'>,
  resolvers: readonly DohResolver[],
): readonly Check[] {
  return resolvers.map((resolver, index) => ({
    group: 'DNS over HTTPS',
    name: `${index} ${resolver.name}`,
    run: (deadline) => askResolver(http, resolver, deadline),
  }));
}

/** Checks that the edge worker runs, accepts our signature and reaches the first resolver. */
export function workerCheck(
  http: Pick<HttpClient, 'request'>,
  worker: { readonly url: string; readonly secret: string },
  resolver: DohResolver,
): Check {
  const client = new EdgeWorkerClient(http, worker);
  return {
    group: 'Edge worker',
    name: new URL(worker.url).host,
    run: async (deadline) => {
      const { message, place } = await client.exchange(resolver, encodeQuery(QUERY), deadline);
      const { rcode } = decodeResponse(message, QUERY);
      const where = [place.colo, place.location, place.country].filter((text) => text !== '').join(', ');
      return `returned ${rcode}${where === '' ? '' : ` from ${where}`}`;
    },
  };
}

const SUBNET = VANTAGE_POINTS[0]!.subnet;
/** The authoritative server for this name returns the querying resolver and the client subnet it received. */
const QUERY: Query = {
  id: 0,
  name: 'o-o.myaddr.l.google.com',
  type: 'TXT',
  edns: true,
  clientSubnet: SUBNET,
};

async function askResolver(
  http: Pick<HttpClient, 'request'>,
  resolver: DohResolver,
  deadline: Deadline,
): Promise<string> {
  const reply = await exchangeOverHttps(http, resolver, { message: encodeQuery(QUERY), deadline });
  const { rcode, records, clientSubnetScope } = decodeResponse(reply.body, QUERY);
  if (rcode !== 'NOERROR') throw new UpstreamError('failed', `returned ${rcode} for ${QUERY.name}`);
  if (reply.httpVersion !== '2')
    throw new UpstreamError('failed', `offers HTTP/${reply.httpVersion} only, expected HTTP/2`);
  const isPassedOn = records.some(({ value }) => value.includes(`edns0-client-subnet ${SUBNET}`));
  const echo = clientSubnetScope === undefined ? 'not echoed' : `echoed with scope ${clientSubnetScope}`;
  return `HTTP/2, client subnet ${isPassedOn ? 'forwarded' : 'not forwarded'}, ${echo}`;
}

import { z } from 'zod';
import type { OpenFile } from '../../input/published-source.js';
import { readJsonFile } from '../../input/json-file.js';
import type { ListSink } from '../list.js';
import { LAYER } from './open-proxy-layers.js';
import { SingleAddresses } from './single-addresses.js';

/**
 * Reads `proxies.json` of monosans/proxy-list, an array of `{protocol,username,password,host,port,exit_ip,…}`. Websites
 * see `exit_ip`, rarely `host`: a proxy without a known exit is counted as unknown. Throws FeedError.
 */
export async function readTestedProxies(file: OpenFile, sink: ListSink): Promise<void> {
  const values = await readJsonFile(file, z.array(z.unknown()));
  const exits = new SingleAddresses(sink, LAYER.tested);
  const claimId = sink.intern({ type: 'PUB', evidence: 'confirmed' });
  values.forEach((value, n) => {
    const { data: proxy } = proxySchema.safeParse(value);
    if (!proxy) sink.reject('json', n + 1, JSON.stringify(value, KEYS));
    else if (!proxy.exit_ip) sink.unknown();
    else exits.add(proxy.exit_ip, claimId, { position: n + 1 });
  });
}

const proxySchema = z.object({ host: z.string(), exit_ip: z.string().nullish() });
const KEYS = ['protocol', 'host', 'port', 'exit_ip'];

import { expect, expectData, expectFailure, expectShape, type Check } from './check.js';
import { AS_PROFILE, DATASET, PREFIX_UPSTREAMS, REVERSE_NAMES } from './documented-shapes.js';

/** Data of ASes and prefixes, and datasets. */
export const NETWORK_RULES: readonly Check[] = [
  {
    name: 'an AS is digits only: AS13335 and 2^32 are code 400 (R36)',
    run: async ({ client }) => {
      for (const asn of ['AS13335', '4294967296', '-1', 'x']) {
        expectFailure(await client.ask(`/api/as-profile/${asn}`), 200, 400);
      }
    },
  },
  {
    name: 'a private AS is code 0 and private, one that nobody has is 404 (R36)',
    run: async ({ client }) => {
      const profile = expectData(await client.ask('/api/as-profile/64512'), AS_PROFILE);
      expect(profile['private'] === true, 'AS64512 is not private');
      expectFailure(await client.ask('/api/as-topo/64512'), 200, 404);
    },
  },
  {
    name: 'prefix-upstreams: no prefix 400, an unannounced one 404, host bits are masked, the echo is raw (R37)',
    run: async ({ client, prefix }) => {
      expectFailure(await client.ask('/api/prefix-upstreams'), 200, 400);
      expectFailure(await client.ask('/api/prefix-upstreams?prefix=nonsense'), 200, 400);
      expectFailure(await client.ask('/api/prefix-upstreams?prefix=192.0.2.0/24'), 200, 404);
      const withHostBits = prefix.replace(/\.0\/(\d+)$/, '.1/$1');
      const reply = await client.ask(`/api/prefix-upstreams?prefix=${withHostBits}`);
      expect(expectData(reply, PREFIX_UPSTREAMS)['prefix'] === withHostBits, 'prefix is not the echo');
    },
  },
  {
    name: 'peering search: fewer than 2 characters are 400, AS and number find the same (R38)',
    run: async ({ client, asn }) => {
      for (const query of ['', '?q=', '?q=a', '?q=%20a%20']) {
        expectFailure(await client.ask(`/api/peering-index/search${query}`), 200, 400);
      }
      const [number, named] = await Promise.all(
        [`${asn}`, `AS${asn}`].map((q) => client.ask(`/api/peering-index/search?q=${q}`)),
      );
      expect(number?.text === named?.text, `${asn} and AS${asn} differ`);
    },
  },
  {
    name: 'rdns: nothing asked, nothing answered; private addresses are dropped; beyond 40 is pending (R29)',
    run: async ({ client }) => {
      const empty = await client.ask('/api/rdns');
      expectShape(empty, REVERSE_NAMES);
      expect(empty.text.replaceAll(/\s/g, '') === '{"resolved":{},"pending":[]}', empty.text.slice(0, 80));
      const dropped = await client.ask('/api/rdns?ips=10.0.0.1,127.0.0.1,192.168.1.1,fe80::1');
      expect(
        dropped.text.replaceAll(/\s/g, '') === '{"resolved":{},"pending":[]}',
        dropped.text.slice(0, 80),
      );
      const many = Array.from({ length: 45 }, (_, i) => `1.1.1.${i + 1}`);
      const { pending } = (await client.ask(`/api/rdns?ips=${many.join(',')}`)).body as { pending: string[] };
      expect(
        many.slice(40).every((ip) => pending.includes(ip)),
        'the last five are not pending',
      );
    },
  },
  {
    name: 'datasets: an unknown name is 400, format is mmdb, the ETag is the sha256 (R39, R40)',
    run: async ({ client }) => {
      expectFailure(await client.ask('/api/datasets/nonsense/info'), 200, 400);
      const { format, sha256 } = expectData(await client.ask('/api/datasets/asn/info'), DATASET);
      expect(format === 'mmdb', `format is ${String(format)}`);
      expect(/^[0-9a-f]{64}$/.test(String(sha256)), 'sha256 is none');
    },
  },
];

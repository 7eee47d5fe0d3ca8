import { expect, expectData, expectFailure, expectShape, type Rule } from './check.js';
import {
  AS_PROFILE,
  AS_TOPOLOGY,
  DATASET,
  PEERING_HITS,
  PREFIX_UPSTREAMS,
  REVERSE_NAMES,
} from './documented-shapes.js';

/** AS and prefix data, and datasets. */
export const NETWORK_RULES: readonly Rule[] = [
  {
    name: 'an AS number is digits only: AS13335 and 2^32 are code 400',
    decisions: [36],
    run: async ({ client }) => {
      for (const asn of ['AS13335', '4294967296', '-1', 'x']) {
        expectFailure(await client.ask(`/api/as-profile/${asn}`), 200, 400);
      }
    },
  },
  {
    name: 'a private AS is code 0 with private: true, and its topology is 404',
    decisions: [36],
    run: async ({ client }) => {
      const profile = expectData(await client.ask('/api/as-profile/64512'), AS_PROFILE);
      expect(profile['private'] === true, 'AS64512 is not private');
      expectFailure(await client.ask('/api/as-topo/64512'), 200, 404);
    },
  },
  {
    name: 'prefix-upstreams: no prefix is 400, an unannounced one 404; host bits are ignored; prefix echoes the input',
    decisions: [37],
    run: async ({ client, prefix }) => {
      expectFailure(await client.ask('/api/prefix-upstreams'), 200, 400);
      expectFailure(await client.ask('/api/prefix-upstreams?prefix=nonsense'), 200, 400);
      expectFailure(await client.ask('/api/prefix-upstreams?prefix=192.0.2.0/24'), 200, 404);
      const withHostBits = prefix.replace(/\.0\/(\d+)$/, '.1/$1');
      const reply = await client.ask(`/api/prefix-upstreams?prefix=${withHostBits}`);
      expect(
        expectData(reply, PREFIX_UPSTREAMS)['prefix'] === withHostBits,
        'prefix does not echo the input',
      );
    },
  },
  {
    name: 'topology is ranked by power; a more specific prefix than the announced one is 404',
    decisions: [37],
    run: async ({ client, asn, prefix }) => {
      const topology = expectData(await client.ask(`/api/as-topo/${asn}`), AS_TOPOLOGY);
      for (const list of ['upstreams', 'downstreams', 'peers']) {
        const powers = (topology[list] as { power: number }[]).map(({ power }) => power);
        expect(
          powers.every((power, i) => i === 0 || powers[i - 1]! >= power),
          `${list} are not in descending order`,
        );
        expect(
          powers.every((power) => power > 0),
          `${list} have entries without power`,
        );
      }
      const within = prefix.replace(/\/\d+$/, '/32');
      expectFailure(await client.ask(`/api/prefix-upstreams?prefix=${within}`), 200, 404);
    },
  },
  {
    name: 'peering search: at most 20 per list; case and surrounding blanks do not matter',
    decisions: [38],
    run: async ({ client }) => {
      const replies = await Promise.all(
        ['ex', '%20EX%20'].map((q) => client.ask(`/api/peering-index/search?q=${q}`)),
      );
      for (const reply of replies) {
        const { nets, facs } = expectData(reply, PEERING_HITS) as { nets: unknown[]; facs: unknown[] };
        expect(nets.length <= 20 && facs.length <= 20, `${nets.length} networks, ${facs.length} facilities`);
      }
      expect(replies[0]?.text === replies[1]?.text, 'results depend on case or blanks');
    },
  },
  {
    name: 'peering search: fewer than 2 characters are 400; AS13335 and 13335 find the same',
    decisions: [38],
    run: async ({ client, asn }) => {
      for (const query of ['', '?q=', '?q=a', '?q=%20a%20']) {
        expectFailure(await client.ask(`/api/peering-index/search${query}`), 200, 400);
      }
      const [number, named] = await Promise.all(
        [`${asn}`, `AS${asn}`].map((q) => client.ask(`/api/peering-index/search?q=${q}`)),
      );
      expect(number?.text === named?.text, `results for ${asn} and AS${asn} differ`);
    },
  },
  {
    name: 'rdns: an empty query has an empty answer; private addresses are dropped; addresses after the 40th are pending',
    decisions: [29],
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
        'the last five addresses are not pending',
      );
    },
  },
  {
    name: 'rdns: keys are the addresses as written, in any spelling',
    decisions: [29],
    run: async ({ client }) => {
      const written = '2606:4700:4700:0:0:0:0:1111';
      const reply = await client.ask(`/api/rdns?ips=${written}`);
      expectShape(reply, REVERSE_NAMES);
      const { resolved, pending } = reply.body as { resolved: object; pending: string[] };
      expect(
        written in resolved || pending.includes(written),
        `${written} is missing in ${reply.text.slice(0, 80)}`,
      );
    },
  },
  {
    name: 'datasets: an unknown name is 400; format is mmdb; the ETag is the sha256',
    decisions: [39, 40],
    run: async ({ client }) => {
      expectFailure(await client.ask('/api/datasets/nonsense/info'), 200, 400);
      const { format, sha256 } = expectData(await client.ask('/api/datasets/asn/info'), DATASET);
      expect(format === 'mmdb', `format is ${String(format)}`);
      expect(/^[0-9a-f]{64}$/.test(String(sha256)), `invalid sha256 "${String(sha256)}"`);
    },
  },
];

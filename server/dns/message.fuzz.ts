import { encode, type Packet } from 'dns-packet';
import { inserting } from '../../pipeline/fuzz/mutate.js';
import { unlessDeclared, type FuzzInput, type FuzzTarget } from '../../pipeline/fuzz/target.js';
import { UpstreamError } from '../upstream-error.js';
import { decodeResponse, isResponseTo, type Query } from './message.js';
import { typeNumberOf } from './record-types.js';

const NAME = 'www.example.com';

/** Answers by the type of their question. */
const ANSWERS: Readonly<Record<string, Partial<Packet>>> = {
  A: {
    answers: [
      { name: NAME, type: 'CNAME', data: 'b.example.com', ttl: 5 },
      { name: 'b.example.com', type: 'A', data: '192.0.2.1', ttl: 5 },
    ],
    authorities: [{ name: 'example.com', type: 'SOA', data: { mname: 'a.b', rname: 'c.d', minimum: 5 } }],
    additionals: [
      {
        ...{ name: '.', type: 'OPT', udpPayloadSize: 1232, extendedRcode: 0, ednsVersion: 0, flags: 0 },
        ...{ flag_do: false, options: [{ code: 8, ip: '192.0.2.0', sourcePrefixLength: 24 }] },
      },
    ],
  },
  AAAA: { answers: [{ name: NAME, type: 'AAAA', data: '2001:db8::1', ttl: 5 }] },
  MX: { answers: [{ name: NAME, type: 'MX', data: { preference: 1, exchange: 'mx.example.com' }, ttl: 5 }] },
  TXT: { answers: [{ name: NAME, type: 'TXT', data: ['v=spf1 -all', 'x'.repeat(255)], ttl: 5 }] },
  NS: { answers: [{ name: NAME, type: 'NS', data: 'ns.example.com', ttl: 5 }] },
  SRV: { answers: [{ name: NAME, type: 'SRV', data: { port: 1, target: 'a.example.com' }, ttl: 5 }] },
  CAA: { answers: [{ name: NAME, type: 'CAA', data: { flags: 0, tag: 'issue', value: 'ca' }, ttl: 5 }] },
  PTR: { answers: [{ name: NAME, type: 'PTR', data: 'host.example.com', ttl: 5 }] },
};

const queryOf = (type: string): Query => ({
  ...{ id: 4711, name: NAME, type, edns: true },
  ...(type === 'A' && { clientSubnet: '192.0.2.0/24' }),
});

/** Decodes damaged answers. The text of a record is at most four times as long as its message. */
export function openTarget(): FuzzTarget {
  const seeds = Object.entries(ANSWERS).map(([type, packet]): FuzzInput => {
    const questions = [{ name: NAME, type: `UNKNOWN_${typeNumberOf(type)!}` as 'A' }];
    return { name: type, bytes: encode({ type: 'response', id: 4711, flags: 0x180, questions, ...packet }) };
  });
  const pointers = [0xc000, 0xc00c, 0xc02a, 0xffff].map((pointer) => Buffer.of(pointer >>> 8, pointer & 255));
  const labels = [Buffer.alloc(64, 63), Buffer.from('\0\0\x29\x04\xd0'), Buffer.alloc(300, 1)];
  return {
    seeds,
    mutators: [inserting([...pointers, ...labels])],
    run: ({ name, bytes }) => {
      const query = queryOf(name);
      isResponseTo(bytes, query);
      try {
        const { records } = decodeResponse(bytes, query);
        const long = records.find(({ value }) => value.length > 4 * bytes.length + 64);
        if (long) throw new Error(`a text of ${long.value.length} characters`);
      } catch (error) {
        unlessDeclared(error, [UpstreamError]);
      }
    },
  };
}

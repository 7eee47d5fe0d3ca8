import { decode, encode, type Answer, type Packet } from 'dns-packet';
import type { Lifetime } from '../../../pipeline/testing/lifetime.js';
import { scriptedServer } from './scripted-server.js';

/** A record without its name. */
export type ZoneRecord = Answer extends infer Row ? (Row extends Answer ? Omit<Row, 'name'> : never) : never;

/** Records by name in lower case. Other names are NXDOMAIN. */
export type Zone = Readonly<Record<string, readonly ZoneRecord[] | 'servfail'>>;

/** Starts a name server that answers from a zone. Returns `address:port`. Closed when the test ends. */
export async function zoneServer(t: Lifetime, zone: Zone): Promise<string> {
  return await scriptedServer(t, (query, send) => {
    send(Buffer.from(encode(answerFrom(zone, decode(query)))));
  });
}

const NXDOMAIN = 3;
const SERVFAIL = 2;
/** Flags of a recursive server's response (RFC 1035 §4.1.1). */
const RESPONSE_FLAGS = 0x0180;

function answerFrom(zone: Zone, { id, questions = [] }: Packet): Packet {
  const [question] = questions;
  const name = question?.name ?? '';
  const found = zone[name.toLowerCase()];
  const rcode = found === 'servfail' ? SERVFAIL : found === undefined ? NXDOMAIN : 0;
  const rows = typeof found === 'object' ? found : [];
  const answers = rows.filter(({ type }) => type === question?.type || type === 'CNAME');
  return {
    ...(id !== undefined && { id }),
    type: 'response',
    flags: RESPONSE_FLAGS | rcode,
    questions,
    answers: answers.map((row) => ({ ...row, name })),
  };
}

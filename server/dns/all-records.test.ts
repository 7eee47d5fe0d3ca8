import t from 'tap';
import { UpstreamError } from '../upstream-error.js';
import { allRecords } from './all-records.js';
import type { DnsClient, DnsReply } from './dns-client.js';

const NOTHING: DnsReply = { rcode: 'NOERROR', records: [], negativeTtl: 60, server: '192.0.2.53' };
const NXDOMAIN: DnsReply = { ...NOTHING, rcode: 'NXDOMAIN' };
const A = { type: 'A', name: 'example.com', ttl: 60, value: '192.0.2.1' };
const CNAME = { type: 'CNAME', name: 'example.com', ttl: 60, value: 'nowhere.example.com' };

/** Answers by type; a type that is not there cannot be had. */
function answering(replies: Readonly<Record<string, DnsReply>>, rest?: DnsReply): Pick<DnsClient, 'query'> {
  return {
    query(_, type) {
      const reply = replies[type] ?? rest;
      return reply ? Promise.resolve(reply) : Promise.reject(new UpstreamError('failed', `no ${type}`));
    },
  };
}

t.test('R28: a type that cannot be had does not spoil the others', async (t) => {
  const found = await allRecords(answering({ A: { ...NOTHING, records: [A] } }), 'example.com', Infinity);
  t.same(found, [A]);
});

t.test('R11: nothing found is no answer while a type could not be had', async (t) => {
  const dns = answering({ AAAA: NOTHING, MX: NOTHING, TXT: NOTHING });
  await t.rejects(allRecords(dns, 'example.com', Infinity), UpstreamError);
  t.same(await allRecords(answering({}, NOTHING), 'example.com', Infinity), [], 'all were had');
});

t.test('R28: what does not exist is absent, whatever fails beside it', async (t) => {
  t.equal(await allRecords(answering({ A: NXDOMAIN }), 'example.com', Infinity), undefined);
});

t.test('R11: a CNAME to nowhere exists, though its own type could not be had', async (t) => {
  const dns = answering({ A: { ...NXDOMAIN, records: [CNAME] } });
  t.same(await allRecords(dns, 'example.com', Infinity), [CNAME]);
});

import t from 'tap';
import { UpstreamError } from '../upstream-error.js';
import { allRecords } from './all-records.js';
import type { DnsClient, DnsReply } from './dns-client.js';

const NOTHING: DnsReply = { rcode: 'NOERROR', records: [], negativeTtl: 60, server: '192.0.2.53' };
const NXDOMAIN: DnsReply = { ...NOTHING, rcode: 'NXDOMAIN' };
const A = { type: 'A', name: 'example.com', ttl: 60, value: '192.0.2.1' };
const CNAME = { type: 'CNAME', name: 'example.com', ttl: 60, value: 'nowhere.example.com' };

/** Answers by type. Types without a reply fail. */
function answering(replies: Readonly<Record<string, DnsReply>>, rest?: DnsReply): Pick<DnsClient, 'query'> {
  return {
    query(_, type) {
      const reply = replies[type] ?? rest;
      return reply ? Promise.resolve(reply) : Promise.reject(new UpstreamError('failed', `no ${type}`));
    },
  };
}

t.test('decision 28: a type that fails does not affect the others', async (t) => {
  const found = await allRecords(answering({ A: { ...NOTHING, records: [A] } }), 'example.com', Infinity);
  t.same(found, [A]);
});

t.test('decision 11: no records is only an answer if every type was answered', async (t) => {
  const dns = answering({ AAAA: NOTHING, MX: NOTHING, TXT: NOTHING });
  await t.rejects(allRecords(dns, 'example.com', Infinity), UpstreamError);
  t.same(await allRecords(answering({}, NOTHING), 'example.com', Infinity), [], 'every type was answered');
});

t.test('decision 28: NXDOMAIN is absent even if other types fail', async (t) => {
  t.equal(await allRecords(answering({ A: NXDOMAIN }), 'example.com', Infinity), undefined);
});

t.test('decision 11: a dangling CNAME exists, even if the CNAME query itself fails', async (t) => {
  const dns = answering({ A: { ...NXDOMAIN, records: [CNAME] } });
  t.same(await allRecords(dns, 'example.com', Infinity), [CNAME]);
});

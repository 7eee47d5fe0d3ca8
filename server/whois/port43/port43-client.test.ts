import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { deadlineIn } from '../../deadline.js';
import type { WhoisAnswer, WhoisTarget } from '../whois-record.js';
import { DOMAIN_SAMPLES } from './testing/samples.js';
import { drip, endless } from './testing/whois-server.js';
import { ROOT, startWorld } from './testing/whois-world.js';

const COM: WhoisTarget = { kind: 'domain', name: 'example.com' };
const DE: WhoisTarget = { kind: 'domain', name: 'example.de' };
const IP: WhoisTarget = { kind: 'ip', ip: '192.0.2.8', version: 4 };
const PREFIX: WhoisTarget = { kind: 'ip', ip: '192.0.2.0', version: 4, length: 25 };
const ASN: WhoisTarget = { kind: 'asn', asn: 64500 };

const THIN = DOMAIN_SAMPLES[0]!.text.replace('whois.registrar.example.net', 'whois.registrar.net');
const THICK = 'Domain Name: EXAMPLE.COM\r\nRegistrar: Other\r\nRegistrant Organization: Example Org\r\n';
const DENIC = 'Domain: example.de\nNserver: ns1.example.net\nStatus: connect\n';
const RIPE = 'inetnum: 192.0.2.0 - 192.0.2.255\nnetname: EXAMPLE\ndescr: Example Network\n';
const ROOT_COM =
  'refer:        whois.verisign-grs.com\n\ndomain:       COM\n\nwhois:        whois.verisign-grs.com\n';
const ROOT_DE = '% IANA WHOIS server\n\ndomain:       DE\n\nwhois:        whois.denic.de\n';
const REFER_ARIN = 'refer:        whois.arin.net\n\ninetnum:      192.0.0.0 - 192.255.255.255\n';
const REFER_RIPE = 'refer:        whois.ripe.net\n\ninetnum:      192.0.0.0 - 192.255.255.255\n';
const soon = (): number => deadlineIn(10_000);

function recordOf(answer: WhoisAnswer) {
  return answer.kind === 'found' ? answer.registration : undefined;
}

t.test(
  'decision 25: queries IANA, the domain registry and the registrar in their query formats',
  async (t) => {
    const { client, server } = await startWorld(t, {
      [ROOT]: { com: ROOT_COM },
      'whois.verisign-grs.com': { 'domain example.com': THIN },
      'whois.registrar.net': { 'example.com': THICK },
    });
    const record = recordOf(await client.ask(COM, soon()));
    t.equal(record?.registrar, 'Example Registrar, Inc.');
    t.equal(record?.registrant, 'Example Org');
    t.equal(record?.raw, `${THIN}\n${THICK}`);
    t.same(server(ROOT).asked, ['com\r\n']);
    t.same(server('whois.verisign-grs.com').asked, ['domain example.com\r\n']);
    t.same(server('whois.registrar.net').asked, ['example.com\r\n']);
  },
);

t.test('decision 25: IANA is not queried again for a known server', async (t) => {
  const { client, server } = await startWorld(t, {
    [ROOT]: { de: ROOT_DE, '192.0.2.8': REFER_RIPE },
    'whois.denic.de': { '*': DENIC },
    'whois.ripe.net': { '-r 192.0.2.8': RIPE, '-r 192.0.2.0/25': RIPE },
  });
  await client.ask(DE, soon());
  t.match(await client.ask(DE, soon()), { registration: { status: ['connect'] } });
  t.match(await client.ask(IP, soon()), {
    registration: { registrar: 'RIPE', registrant: 'Example Network' },
  });
  t.equal((await client.ask(PREFIX, soon())).kind, 'found');
  t.same(server(ROOT).asked, ['de\r\n', '192.0.2.8\r\n']);
  t.same(server('whois.denic.de').asked.at(-1), '-T dn,ace example.de\r\n');
});

t.test('decision 26: there is no server for what IANA does not know', async (t) => {
  const { client, server } = await startWorld(t, {
    [ROOT]: { '*': '% This query returned 0 objects.\n', nowhois: 'domain: NOWHOIS\nstatus: ACTIVE\n' },
  });
  const ask = (name: string) => client.ask({ kind: 'domain', name }, soon());
  t.same(await ask('a.nosuch'), { kind: 'no-server' });
  t.same(await ask('b.nosuch'), { kind: 'no-server' });
  t.same(await ask('a.nowhois'), { kind: 'no-server' });
  t.same(await client.ask(ASN, soon()), { kind: 'no-server' });
  t.same(server(ROOT).asked, ['nosuch\r\n', 'nowhois\r\n', 'AS64500\r\n']);
});

t.test('without IANA the built-in servers are used, and ARIN for addresses', async (t) => {
  const { client } = await startWorld(t, {
    [ROOT]: { '*': (socket) => socket.destroy() as never },
    'whois.denic.de': { '*': DENIC },
    'whois.arin.net': {
      'n + 192.0.2.8':
        'NetRange: 192.0.2.0 - 192.0.2.255\nReferralServer:  whois://whois.ripe.net\nOrgId: RIPE\n',
    },
    'whois.ripe.net': { '*': RIPE },
  });
  t.equal((await client.ask(DE, soon())).kind, 'found');
  t.match(await client.ask(IP, soon()), { registration: { registrar: 'RIPE', raw: RIPE } });
  await t.rejects(client.ask({ kind: 'domain', name: 'example.zz' }, soon()), { name: 'UpstreamError' });
});

t.test(
  'decision 25: ARIN is queried with its flags, and for the network around a partial prefix',
  async (t) => {
    const arin = 'NetRange: 192.0.2.0 - 192.0.2.255\nNetName: EX\nOrgName: Example\nOrgId: EX\n';
    const { client, server } = await startWorld(t, {
      [ROOT]: { '*': REFER_ARIN },
      'whois.arin.net': {
        'r + = 192.0.2.0/25': '#\nNo match found for r + = 192.0.2.0/25.\n',
        'n + 192.0.2.0': arin,
        'a 64500': 'ASNumber: 64500\nASName: EX\nOrgName: Example\n',
      },
    });
    t.match(await client.ask(PREFIX, soon()), { registration: { registrar: 'ARIN', registrant: 'Example' } });
    t.match(await client.ask(ASN, soon()), { registration: { registrar: 'ARIN' } });
    t.same(server('whois.arin.net').asked, ['r + = 192.0.2.0/25\r\n', 'n + 192.0.2.0\r\n', 'a 64500\r\n']);
  },
);

t.test('decision 25: follows one referral, and queries no server twice', async (t) => {
  const { client, server } = await startWorld(t, {
    [ROOT]: { '*': REFER_ARIN },
    'whois.arin.net': {
      '*': 'ReferralServer: whois://whois.ripe.net\nReferralServer: whois://whois.apnic.net\n',
    },
    'whois.apnic.net': { '*': `${RIPE}\nrefer: whois.ripe.net\n` },
    'whois.ripe.net': { '*': RIPE },
  });
  t.match(await client.ask(IP, soon()), { registration: { registrar: 'APNIC' } });
  t.same(server('whois.ripe.net').asked, []);
  for (const again of ['whois.verisign-grs.com', ROOT, 'WHOIS.VERISIGN-GRS.COM.']) {
    const loop = await startWorld(t, {
      [ROOT]: { com: ROOT_COM, '*': THICK },
      'whois.verisign-grs.com': { '*': THIN.replace('whois.registrar.net', again) },
    });
    t.equal(recordOf(await loop.client.ask(COM, soon()))?.registrant, '', again);
    t.equal(loop.server(ROOT).asked.length + loop.server('whois.verisign-grs.com').asked.length, 2);
  }
});

t.test('decision 33: a referral to anything but a public whois server keeps the first answer', async (t) => {
  // prettier-ignore
  const referrals = [
    'whois.private.net', 'localhost', '127.0.0.2', '[::1]', '0x7f000001', 'a.internal', 'whois.nowhere.net',
    'rwhois://rwhois.example.net:4321/',
    'whois://whois.other.net:25',
    'whois.other.net:80',
    'ftp://whois.other.net',
    'whois://user@whois.other.net',
    'whois.other.net?x',
    'who is.other.net',
    '-T.other.net',
    '',
    '%00',
    'x'.repeat(5000),
  ];
  for (const referral of referrals) {
    const { client, dns, server } = await startWorld(t, {
      [ROOT]: { com: ROOT_COM },
      'whois.verisign-grs.com': { '*': THIN.replace('whois.registrar.net', referral) },
      'whois.other.net': {},
    });
    dns.addresses.set('whois.private.net', ['10.0.0.1', '169.254.169.254', '::ffff:10.0.0.1']);
    const record = recordOf(await client.ask(COM, soon()));
    t.equal(record?.registrar, 'Example Registrar, Inc.', referral.slice(0, 50));
    if (!referral.includes('?')) t.same(server('whois.other.net').asked, [], referral.slice(0, 50));
    t.notOk(dns.asked.some((name) => !/^whois\.[a-z-]+\.(?:net|com|org)$/.test(name)));
  }
});

t.test(
  "decision 25: a registrar without a usable answer leaves the domain registry's answer unchanged",
  async (t) => {
    const replies = [
      'No match\n',
      '',
      '%ERROR:201: access denied\n',
      THICK.replace('EXAMPLE.COM', 'other.com'),
      drip('Registrant Organization: x\n', 5),
      endless('x'.repeat(65_536)),
      (socket: { resetAndDestroy: () => unknown }) => void socket.resetAndDestroy(),
    ];
    for (const reply of replies) {
      const { client } = await startWorld(
        t,
        {
          [ROOT]: { com: ROOT_COM },
          'whois.verisign-grs.com': { '*': THIN },
          'whois.registrar.net': { '*': reply },
        },
        { budgetMs: 500 },
      );
      t.same(recordOf(await client.ask(COM, soon())), { raw: THIN, ...DOMAIN_SAMPLES[0]!.record });
    }
  },
);

t.test(
  'decision 11: a server without a usable answer is an UpstreamError within the time limit',
  async (t) => {
    const replies = {
      timeout: drip('Domain Name: EXAMPLE.COM\n', 5),
      malformed: endless('x'.repeat(65_536)),
      unreachable: (socket: { resetAndDestroy: () => unknown }) => void socket.resetAndDestroy(),
      'rate-limited': 'Quota exceeded\n',
    };
    for (const [reason, reply] of Object.entries(replies)) {
      const { client } = await startWorld(
        t,
        { [ROOT]: { com: ROOT_COM }, 'whois.verisign-grs.com': { '*': reply } },
        { budgetMs: 700 },
      );
      const start = performance.now();
      await t.rejects(client.ask(COM, soon()), { name: 'UpstreamError', reason });
      t.ok(performance.now() - start < 5000);
    }
  },
);

t.test('an earlier deadline of the caller overrides the time limit', async (t) => {
  const { client } = await startWorld(t, { [ROOT]: { '*': () => undefined } });
  const start = performance.now();
  await t.rejects(client.ask({ kind: 'domain', name: 'example.zz' }, deadlineIn(100)), {
    name: 'UpstreamError',
    reason: 'timeout',
  });
  t.ok(performance.now() - start < 4000);
});

t.test('decision 25: a server gets at most four concurrent queries', async (t) => {
  const { client, server } = await startWorld(t, {
    [ROOT]: { '*': ROOT_DE },
    'whois.denic.de': {
      '*': async (socket, query) => {
        await sleep(20);
        socket.end(`Domain: ${query.split(' ')[2]}\nStatus: connect\n`);
      },
    },
  });
  const names = Array.from({ length: 20 }, (_, i) => `example${i}.de`);
  const answers = await Promise.all(names.map((name) => client.ask({ kind: 'domain', name }, soon())));
  t.ok(answers.every(({ kind }) => kind === 'found'));
  t.equal(server('whois.denic.de').most, 4);
});

t.test('decodes text in its charset', async (t) => {
  const apnic = Buffer.from('inetnum: 192.0.2.0 - 192.0.2.255\ndescr: Société Générale\n', 'latin1');
  const shift = Buffer.concat([
    Buffer.from('[Domain Name] EXAMPLE.JP\n[Registrant] '),
    Buffer.from('1b2442467c4b5c1b2842', 'hex'),
    Buffer.from('\n[State] Connected\n'),
  ]);
  const kyrgyz = Buffer.concat([
    Buffer.from('Domain: example.kg\nStatus: ACTIVE\nRegistrant: '),
    Buffer.from('cce8f0', 'hex'),
    Buffer.from('\n'),
  ]);
  const { client } = await startWorld(t, {
    [ROOT]: {
      '192.0.2.8': 'refer: whois.apnic.net\ninetnum: 192.0.0.0 - 192.255.255.255\n',
      jp: 'domain: JP\nwhois: whois.jprs.jp\n',
      kg: 'domain: KG\nwhois: whois.kg\n',
    },
    'whois.apnic.net': { '-r 192.0.2.8': apnic },
    'whois.jprs.jp': { 'example.jp/e': shift },
    'whois.kg': { 'example.kg': kyrgyz },
  });
  t.match(await client.ask(IP, soon()), { registration: { registrant: 'Société Générale' } });
  t.match(await client.ask({ kind: 'domain', name: 'example.jp' }, soon()), {
    registration: { registrant: '日本' },
  });
  t.match(await client.ask({ kind: 'domain', name: 'example.kg' }, soon()), {
    registration: { registrant: 'Мир' },
  });
});

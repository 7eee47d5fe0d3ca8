import t from 'tap';
import { UpstreamError } from '../../upstream-error.js';
import type { WhoisTarget } from '../whois-record.js';
import { mergeThin, readAnswer } from './read-answer.js';
import { DOMAIN_SAMPLES, NETWORK_SAMPLES } from './testing/samples.js';

const DOMAIN: WhoisTarget = { kind: 'domain', name: 'example.com' };
const IP: WhoisTarget = { kind: 'ip', ip: '192.0.2.8', version: 4 };
const ASN: WhoisTarget = { kind: 'asn', asn: 64500 };

/** Returns the kind of answer, or the reason of the UpstreamError. */
function outcomeOf(server: string, text: string, target: WhoisTarget): string {
  try {
    return readAnswer(server, text, target).kind;
  } catch (error) {
    if (error instanceof UpstreamError) return error.reason;
    throw error;
  }
}

for (const { server, target, text, record } of [...DOMAIN_SAMPLES, ...NETWORK_SAMPLES]) {
  t.test(`decision 27: reads ${target.kind} records of ${server}`, (t) => {
    const answer = readAnswer(server, text, target);
    t.same(answer, { kind: 'found', registration: { raw: text, ...record } });
    t.end();
  });
}

t.test('decision 26: recognises absence by words at the start of a line, if there is no record', (t) => {
  const absent: readonly (readonly [string, string?])[] = [
    ['No match for "EXAMPLE.COM".\r\n>>> Last update of whois database: 2026-11-01T00:00:00Z <<<'],
    ['NOT FOUND\n'],
    ['No Data Found\n>>> Last update <<<'],
    ['Domain not found.\n'],
    ['%% NOT FOUND\n'],
    ['Domain: example.com\nStatus: free\n'],
    ['Domain: example.com\nStatus:\tAVAILABLE\n'],
    ['example.com is free\n'],
    ['domain "example.com" not found.\n'],
    ['example.com: no entries found.\n'],
    ['%ERROR:101: no entries found\n%\n% No entries found in source RIPE.\n'],
    ['% No entries found for the selected source(s).\n'],
    ['No match!!\n'],
    ['    No match for "example.com".\n\n    This domain name has not been registered.\n'],
    ['% nothing found\n'],
    ['The queried object does not exist: no matching objects found\n'],
    ['No information available about domain name example.com in the Registry database.\n'],
    ['We do not have an entry in our database matching your query.\n'],
  ];
  for (const [text] of absent)
    t.same(readAnswer('whois.example.net', text, DOMAIN), { kind: 'absent', raw: text }, text);
  t.end();
});

t.test('decision 26: recognises unassigned addresses and AS numbers', (t) => {
  const answers: readonly (readonly [WhoisTarget, string])[] = [
    [IP, '#\nNo match found for n + 192.0.2.8.\n'],
    [IP, '%ERROR:101: no entries found\n'],
    [IP, 'inetnum: 0.0.0.0 - 255.255.255.255\nnetname: IANA-BLK\ncreated: 2002-06-25T14:19:09Z\n'],
    [ASN, 'as-block:       AS64496 - AS64511\ndescr:          RIPE NCC ASN block\n'],
    [ASN, '% No match for AS64500\n'],
  ];
  for (const [target, text] of answers)
    t.equal(readAnswer('whois.ripe.net', text, target).kind, 'absent', text);
  t.end();
});

t.test('decision 11: a rate limit is never read as absence', (t) => {
  const texts = [
    '%ERROR:201: access denied for 192.0.2.1\n%\n% No entries found\n',
    '% Error: 55000000002 Connection refused; access control limit exceeded.\n',
    'Number of allowed queries exceeded.\n',
    'WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS\n',
    'Your connection limit exceeded. Please slow down and try again later.\nNOT FOUND\n',
    'The WHOIS query quota for 192.0.2.1 has been exceeded\nand will be replenished in 212 seconds\n',
    'Quota exceeded\n',
    'Too many requests\n',
    'Query rate exceeded, please try again later\n',
    'You have exceeded the query limit for your network.\n',
  ];
  for (const text of texts) t.equal(outcomeOf('whois.example.net', text, DOMAIN), 'rate-limited', text);
  t.end();
});

t.test('a record is found although its legal notice mentions limits and absence', (t) => {
  const text = [
    'Domain Name: example.com',
    'Registrar: Example Inc.',
    '',
    'No match for your query means that the name is free.',
    'Access is denied when the query limit exceeded.',
  ].join('\n');
  t.equal(readAnswer('whois.example.net', text, DOMAIN).kind, 'found');
  t.end();
});

t.test('decision 11: an unusable reply is not read as absence', (t) => {
  const texts = [
    '\n',
    'Internal error\n',
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    'Nothing here says no match for it\n',
    'Domain Name: example.com\n',
  ];
  for (const text of texts) t.equal(outcomeOf('whois.example.net', text, DOMAIN), 'malformed', text);
  const other = 'Domain Name: other.com\nRegistrar: Example\n';
  t.equal(outcomeOf('whois.example.net', other, DOMAIN), 'malformed');
  const elsewhere = 'inetnum: 198.51.100.0 - 198.51.100.255\nnetname: ELSEWHERE\n';
  t.equal(outcomeOf('whois.ripe.net', elsewhere, IP), 'malformed');
  const notOurs = 'inetnum: 192.0.0.0 - 192.255.255.255\nnetname: NON-RIPE-NCC-MANAGED-ADDRESS-BLOCK\n';
  t.equal(outcomeOf('whois.ripe.net', notOurs, IP), 'malformed');
  t.end();
});

t.test('decision 27: the name may be in Unicode, and a value that is not a name is ignored', (t) => {
  const target: WhoisTarget = { kind: 'domain', name: 'xn--bcher-kva.de' };
  const text = 'Domain: Bücher.de\nDomain-Ace: xn--bcher-kva.de\nStatus: connect\n';
  t.equal(readAnswer('whois.denic.de', text, target).kind, 'found');
  t.equal(readAnswer('whois.denic.de', 'Domain: Bücher\nStatus: connect\n', target).kind, 'found');
  t.end();
});

t.test('an ARIN record names the RIR responsible for the network', (t) => {
  const text = 'NetRange: 192.0.0.0 - 192.255.255.255\nNetName: RIPE-C3\nOrgName: RIPE\nOrgId: RIPE\n';
  const answer = readAnswer('whois.arin.net', text, IP);
  t.match(answer, { registration: { registrar: 'RIPE' } });
  t.end();
});

t.test("the registrar's record fills empty fields of the domain registry's and changes none", (t) => {
  const [thin, thick] = DOMAIN_SAMPLES.map(({ record, text }) => ({ raw: text, ...record }));
  const merged = mergeThin(thin!, { ...thick!, status: ['clientHold'] });
  t.same(merged, { ...thin, registrant: 'Example Organisation', raw: `${thin!.raw}\n${thick!.raw}` });
  t.end();
});

t.test('raw is truncated to 256 kB between two characters', (t) => {
  const text = `Domain Name: example.com\nRegistrar: X\n\n${'ü'.repeat(200_000)}`;
  const answer = readAnswer('whois.example.net', text, DOMAIN);
  const raw = answer.kind === 'found' ? answer.registration.raw : '';
  t.ok(Buffer.byteLength(raw) <= 256 * 1024 && Buffer.byteLength(raw) > 256 * 1024 - 4);
  t.ok(text.startsWith(raw));
  t.end();
});

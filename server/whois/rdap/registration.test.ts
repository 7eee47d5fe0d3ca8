import t from 'tap';
import { fillFromRegistrar, type WhoisTarget } from '../whois-record.js';
import { registrarUrlOf } from './server-urls.js';
import { hasRegistrantField } from './entities.js';
import { registrationOf } from './registration.js';
import { isAbout } from './right-object.js';
import {
  ARIN_AUTNUM,
  card,
  REDACTED_IDN,
  REGISTRAR_DOMAIN,
  RIPE_NETWORK,
  THIN_DOMAIN,
} from './testing/rdap-samples.js';

const DOMAIN: WhoisTarget = { kind: 'domain', name: 'example.com' };
const IDN: WhoisTarget = { kind: 'domain', name: 'xn--bcher-kva.example.net' };
const ADDRESS: WhoisTarget = { kind: 'ip', ip: '193.0.6.139', version: 4 };
const ASN: WhoisTarget = { kind: 'asn', asn: 15_169 };
const read = (target: WhoisTarget, object: unknown) =>
  registrationOf(target, { object, raw: 'raw', hosts: [] });

t.test('decision 27: a domain of a thin domain registry', (t) => {
  t.ok(isAbout(THIN_DOMAIN, DOMAIN));
  t.notOk(hasRegistrantField(THIN_DOMAIN));
  t.same(read(DOMAIN, THIN_DOMAIN), {
    raw: 'raw',
    registrar: 'RESERVED-Internet Assigned Numbers Authority',
    creation_date: '1995-08-14T04:00:00Z',
    expiry_date: '2027-08-13T04:00:00Z',
    updated_date: '2026-08-14T07:01:39Z',
    nameservers: ['a.iana-servers.net', 'b.iana-servers.net'],
    status: ['clientDeleteProhibited', 'clientTransferProhibited', 'clientUpdateProhibited'],
    registrant: '',
    dnssec: 'signedDelegation',
  });
  t.end();
});

t.test('decision 27: redaction, nested entities, unusual dates and status values', (t) => {
  t.ok(isAbout(REDACTED_IDN, IDN));
  t.ok(hasRegistrantField(REDACTED_IDN));
  t.same(read(IDN, REDACTED_IDN), {
    raw: 'raw',
    registrar: 'Registrar AG',
    creation_date: '',
    expiry_date: '2026-11-30T23:30:00Z',
    updated_date: '',
    nameservers: [],
    status: ['ok', 'autoRenewPeriod', 'clientHold'],
    registrant: '',
    dnssec: 'unsigned',
  });
  t.end();
});

t.test('a holder with a redacted name is empty', (t) => {
  const holder = (fn: string, org?: string) =>
    read(DOMAIN, { entities: [{ roles: ['registrant'], vcardArray: card(fn, org) }] }).registrant;
  t.equal(holder('REDACTED FOR PRIVACY', 'REDACTED FOR PRIVACY'), '');
  t.equal(holder('Data Protected', 'Example Ltd'), 'Example Ltd');
  t.equal(holder('Jo Doe', 'Redacted for privacy'), 'Jo Doe');
  t.equal(holder('Jo \n\t Doe'), 'Jo Doe');
  t.end();
});

t.test('decision 27: the registrar of addresses and AS numbers is their RIR', (t) => {
  t.ok(isAbout(RIPE_NETWORK, ADDRESS));
  t.match(read(ADDRESS, RIPE_NETWORK), {
    registrar: 'RIPE',
    creation_date: '2003-03-17T12:15:57Z',
    registrant: 'Reseaux IP Europeens Network Coordination Centre (RIPE NCC)',
    status: ['ok'],
    dnssec: '',
  });
  t.ok(isAbout(ARIN_AUTNUM, ASN));
  t.match(read(ASN, ARIN_AUTNUM), {
    registrar: 'ARIN',
    creation_date: '2000-03-30T05:00:00Z',
    updated_date: '2012-02-24T14:44:34Z',
    registrant: 'Google LLC',
  });
  const hosts = (...names: string[]) => registrationOf(ASN, { object: {}, raw: '', hosts: names }).registrar;
  t.equal(hosts('rdap.registro.br', 'rdap.lacnic.net'), 'LACNIC');
  t.equal(hosts('rdap.notarin.net'), '');
  t.end();
});

t.test("the registrar's data fills empty fields of the domain registry's and changes none", (t) => {
  const whole = fillFromRegistrar(read(DOMAIN, THIN_DOMAIN), {
    ...read(DOMAIN, REGISTRAR_DOMAIN),
    raw: 'other',
  });
  t.same(whole, { ...read(DOMAIN, THIN_DOMAIN), registrant: 'Example Org' });
  t.end();
});

t.test('recognises an object that is not about the query', (t) => {
  const wrong: readonly (readonly [unknown, WhoisTarget])[] = [
    [{ ...THIN_DOMAIN, ldhName: 'example.net' }, DOMAIN],
    [{ ...THIN_DOMAIN, ldhName: undefined }, DOMAIN],
    [{ ...THIN_DOMAIN, objectClassName: 'entity' }, DOMAIN],
    [THIN_DOMAIN, ADDRESS],
    [{ ...RIPE_NETWORK, startAddress: '193.0.7.0' }, ADDRESS],
    [{ ...RIPE_NETWORK, startAddress: '2001:db8::', endAddress: '2001:db8::ffff' }, ADDRESS],
    [{ ...ARIN_AUTNUM, endAutnum: 3, startAutnum: 1 }, ASN],
    [{}, ASN],
    [null, DOMAIN],
    [[], ADDRESS],
  ];
  for (const [object, target] of wrong) t.notOk(isAbout(object, target), JSON.stringify(object).slice(0, 80));
  t.end();
});

t.test('the link to the registrar is RDAP on another public host', (t) => {
  const from = new URL('https://rdap.verisign.com/com/v1/domain/example.com');
  const link = (href: unknown, more = {}) =>
    registrarUrlOf({ links: [{ rel: 'related', type: 'application/rdap+json', href, ...more }] }, from)?.href;
  t.equal(
    link('https://RDAP.example.com/x/domain/EXAMPLE.COM?a=b'),
    'https://rdap.example.com/x/domain/EXAMPLE.COM?a=b',
  );
  t.equal(link('https://rdap.example.com'), 'https://rdap.example.com/');
  // prettier-ignore
  const refused = [
    'http://rdap.example.com/',
    'https://rdap.verisign.com/com/v1/domain/example.com',
    'https://127.0.0.1/',
    '',
    7,
    'https://user@rdap.example.com/',
    'https://rdap.example.com:8443/',
    'https://localhost/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://rdap.example.com\\@evil.example.org/',
    'ftp://rdap.example.com/',
    null,
    {},
    [],
    'https://rdap.internal/',
    'https://rdap.example.com/ x',
    'https://rdap.example.com/\nx',
    '//rdap.example.com/',
  ];
  for (const href of refused) t.equal(link(href), undefined, JSON.stringify(href));
  t.equal(link('https://rdap.example.com/', { rel: 'self' }), undefined);
  t.equal(link('https://rdap.example.com/', { type: 'text/html' }), undefined);
  t.end();
});

t.test('hostile: any JSON is read without an exception', (t) => {
  const deep = (n: number) => JSON.parse(`${'{"entities":['.repeat(n)}${']}'.repeat(n)}`) as unknown;
  const odd: unknown[] = [
    null,
    undefined,
    7,
    'x',
    true,
    [],
    {},
    [[]],
    [{}],
    { a: 1 },
    [null],
    -0,
    1e308,
    deep(5000),
  ];
  odd.push(Array.from({ length: 5000 }, () => ({ roles: ['registrar'], vcardArray: ['vcard', [['fn']]] })));
  odd.push(JSON.parse('{"__proto__":{"roles":["registrant"]},"constructor":{"prototype":1}}'));
  const fields = ['objectClassName', 'ldhName', 'unicodeName', 'entities', 'events', 'status', 'nameservers'];
  fields.push(
    'secureDNS',
    'redacted',
    'links',
    'port43',
    'startAddress',
    'endAddress',
    'startAutnum',
    'endAutnum',
  );
  const from = new URL('https://rdap.example.com/');
  for (const target of [DOMAIN, ADDRESS, ASN]) {
    for (const value of odd) {
      const whole = Object.fromEntries(fields.map((field) => [field, value]));
      const nested = {
        ...THIN_DOMAIN,
        entities: [{ roles: value, vcardArray: value, publicIds: value, entities: value }],
      };
      const events = {
        events: [value, { eventAction: value, eventDate: value }],
        redacted: [{ name: value }],
      };
      for (const object of [value, whole, nested, events]) {
        isAbout(object, target);
        hasRegistrantField(object);
        registrarUrlOf(object, from);
        const { status, nameservers, ...texts } = read(target, object);
        if (![...status, ...nameservers, ...Object.values(texts)].every((text) => typeof text === 'string'))
          t.fail();
      }
    }
  }
  t.end();
});

t.test('raw is truncated to 256 kB between two characters', (t) => {
  const { raw } = registrationOf(DOMAIN, { object: {}, raw: `x${'ü'.repeat(200_000)}`, hosts: [] });
  t.equal(Buffer.byteLength(raw), 262_143);
  t.ok(raw.endsWith('ü'));
  t.equal(registrationOf(DOMAIN, { object: {}, raw: 'x'.repeat(262_144), hosts: [] }).raw.length, 262_144);
  t.end();
});

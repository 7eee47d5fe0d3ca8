import { decode, encode, type Packet } from 'dns-packet';
import t from 'tap';
import { BYTE_MUTATORS, mutate } from '../../pipeline/fuzz/mutate.js';
import { Random } from '../../pipeline/fuzz/random.js';
import { UpstreamError } from '../upstream-error.js';
import { typeNumberOf } from './record-types.js';
import { decodeResponse, encodeQuery, isResponseTo, type Query } from './message.js';

const query: Query = { id: 4711, name: 'www.example.com', type: 'A', edns: true };

/** Encodes a response with an independent encoder. */
function response(packet: Partial<Packet>, asked = query): Buffer {
  const questions = [{ name: asked.name, type: `UNKNOWN_${typeNumberOf(asked.type)!}` as 'A' }];
  return encode({ type: 'response', id: asked.id, flags: 0x180, questions, ...packet });
}

/** Returns a response whose rows after the question are given as hexadecimal bytes. */
function rawResponse(counts: readonly number[], hex: string, asked = query): Buffer {
  const bytes = Buffer.concat([response({}, asked), Buffer.from(hex.replaceAll(' ', ''), 'hex')]);
  counts.forEach((count, i) => bytes.writeUInt16BE(count, 6 + 2 * i));
  return bytes;
}

/** Encodes a row with the question's name. */
function row(type: number, rdata: Buffer | string): string {
  const bytes = typeof rdata === 'string' ? Buffer.from(rdata.replaceAll(' ', ''), 'hex') : rdata;
  const fixed = Buffer.alloc(12);
  [0xc00c, type, 1, 0, 300, bytes.length].forEach((word, i) => fixed.writeUInt16BE(word, 2 * i));
  return Buffer.concat([fixed, bytes]).toString('hex');
}

const ofType = (type: string): Query => ({ ...query, type });
const valuesOf = (type: number, rdata: Buffer | string, name: string) =>
  decodeResponse(rawResponse([1], row(type, rdata), ofType(name)), ofType(name)).records.map(
    ({ value }) => value,
  );

t.test('a query has one question, requests recursion, and offers 1232 bytes by EDNS', (t) => {
  const asked = decode(encodeQuery(query));
  t.match(asked, {
    id: 4711,
    type: 'query',
    flag_rd: true,
    questions: [{ name: 'www.example.com', type: 'A' }],
  });
  t.match(asked.additionals, [{ type: 'OPT', udpPayloadSize: 1232, options: [] }]);
  t.same(decode(encodeQuery({ ...query, edns: false })).additionals, []);
  t.equal(encodeQuery(ofType('TYPE65280')).includes(Buffer.from('ff000001', 'hex')), true);
  for (const name of ['', '.', 'a..b', 'a.', `${'a'.repeat(64)}.com`, 'é.com', 'a b', `${'a.'.repeat(127)}b`])
    t.throws(() => encodeQuery({ ...query, name }), { name: 'AssertionError' }, name);
  for (const type of ['', 'NOPE', 'TYPE65536', 'TYPE01'])
    t.throws(() => encodeQuery(ofType(type)), { name: 'AssertionError' }, type);
  t.end();
});

t.test('RFC 7871: a client subnet is truncated to its prefix, with spare bits zero', (t) => {
  const optionOf = (clientSubnet: string) =>
    encodeQuery({ ...query, clientSubnet })
      .subarray(-100)
      .toString('hex');
  for (const [subnet, option] of [
    ['192.0.2.255/24', '00080007 0001 18 00 c00002'],
    ['192.0.2.255/21', '00080007 0001 15 00 c00000'],
    ['192.0.2.255/32', '00080008 0001 20 00 c00002ff'],
    ['0.0.0.0/0', '00080004 0001 00 00'],
    ['2001:db8:1:ffff::/56', '0008000b 0002 38 00 20010db80001ff'],
    ['2001:db8:ffff::1/33', '00080009 0002 21 00 20010db880'],
  ] as const)
    t.ok(optionOf(subnet).endsWith(option.replaceAll(' ', '')), subnet);
  t.throws(() => encodeQuery({ ...query, clientSubnet: '192.0.2.0/33' }), { name: 'AssertionError' });
  t.throws(() => encodeQuery({ ...query, edns: false, clientSubnet: '192.0.2.0/24' }));
  t.end();
});

t.test('RFC 7871: the scope is only read from an echo of the option sent', (t) => {
  const asked = { ...query, clientSubnet: '192.0.2.0/24' };
  const scope = (body: string) => {
    const option = `0008${(body.length / 2).toString(16).padStart(4, '0')}${body}`;
    const size = (option.length / 2).toString(16).padStart(4, '0');
    return decodeResponse(rawResponse([0, 0, 1], `00 0029 04d0 00000000 ${size} ${option}`), asked)
      .clientSubnetScope;
  };
  t.equal(scope('00011814c00002'), 20);
  t.equal(scope('00011800c00002'), 0);
  for (const other of [
    '00011814c00003',
    '00021814c00002',
    '00011914c00002',
    '000118',
    '',
    '00011814c0000200',
  ])
    t.equal(scope(other), undefined, other);
  t.equal(decodeResponse(response({}), asked).clientSubnetScope, undefined);
  t.end();
});

t.test('a response matches its query by id, QR, opcode and question', (t) => {
  t.equal(isResponseTo(response({}), query), true);
  t.equal(isResponseTo(response({ questions: [{ name: 'WWW.Example.COM', type: 'A' }] }), query), true);
  const others: Partial<Packet>[] = [
    { id: 4712 },
    { type: 'query' },
    { flags: 0x180 | (4 << 11) },
    { questions: [] },
    { questions: [{ name: 'www.example.com', type: 'AAAA' }] },
    { questions: [{ name: 'www.example.com', type: 'A', class: 'CH' }] },
    { questions: [{ name: 'ww.example.com', type: 'A' }] },
    {
      questions: [
        { name: 'www.example.com', type: 'A' },
        { name: 'www.example.com', type: 'A' },
      ],
    },
  ];
  for (const other of others) {
    t.equal(isResponseTo(response(other), query), false, JSON.stringify(other));
    t.throws(() => decodeResponse(response(other), query), { name: 'UpstreamError', reason: 'malformed' });
  }
  t.equal(isResponseTo(Buffer.alloc(0), query), false);
  t.equal(isResponseTo(response({}).subarray(0, 20), query), false);
  t.equal(isResponseTo(response({ flags: 0x181, questions: [] }), query), true, 'FORMERR may omit it');
  t.end();
});

t.test('decision 28: answers are the name and its CNAME chain, without duplicates, and loops end', (t) => {
  const { records } = decodeResponse(
    response({
      answers: [
        { name: 'c.example.net', type: 'A', data: '192.0.2.1', ttl: 3 },
        { name: 'other.example.com', type: 'A', data: '192.0.2.66', ttl: 3 },
        { name: 'WWW.example.com', type: 'CNAME', data: 'B.example.net', ttl: 1 },
        { name: 'b.example.net', type: 'CNAME', data: 'c.example.net', ttl: 2 },
        { name: 'b.example.net', type: 'CNAME', data: 'www.example.com', ttl: 2 },
        { name: 'c.example.net', type: 'A', data: '192.0.2.1', ttl: 9 },
        { name: 'c.example.net', type: 'AAAA', data: '2001:db8::1', ttl: 9 },
        { name: 'c.example.net', type: 'A', class: 'CH', data: '192.0.2.9', ttl: 9 },
      ],
    }),
    query,
  );
  t.same(
    records.map(({ name, type, ttl, value }) => `${name} ${ttl} ${type} ${value}`),
    [
      'www.example.com 1 CNAME b.example.net',
      'b.example.net 2 CNAME c.example.net',
      'b.example.net 2 CNAME www.example.com',
      'c.example.net 3 A 192.0.2.1',
    ],
  );
  t.end();
});

t.test('decision 28: every type has a text form', (t) => {
  t.same(
    valuesOf(16, Buffer.from('\x03gr\xc3\x02\xbcn', 'latin1'), 'TXT'),
    ['grün'],
    'a character split across two chunks',
  );
  t.same(valuesOf(16, '04 61 ff 0a 5c', 'TXT'), ['a\\255\\010\\092']);
  t.same(valuesOf(16, '', 'TXT'), ['']);
  t.same(valuesOf(257, Buffer.from('\x80\x05issueca.example"x', 'latin1'), 'CAA'), [
    '128 issue "ca.example\\"x"',
  ]);
  t.same(valuesOf(65280, '0a000001', 'TYPE65280'), ['\\# 4 0a000001']);
  t.same(valuesOf(65, '', 'HTTPS'), ['\\# 0']);
  t.same(valuesOf(28, '20010db8000000000000000000000001', 'AAAA'), ['2001:db8::1']);
  t.same(valuesOf(15, '0000 00', 'MX'), ['.']);
  t.same(valuesOf(2, '05 41 2e 22 00 e9 01 5c 00', 'NS'), ['a\\.\\"\\000\\233.\\\\']);
  t.end();
});

t.test('reads extended rcodes, clamps signed TTLs, and reads the negative TTL', (t) => {
  const extended = rawResponse([0, 0, 1], '00 0029 04d0 01000000 0000');
  t.equal(decodeResponse(extended, query).rcode, 'BADVERS');
  t.equal(decodeResponse(response({ flags: 0x18b }), query).rcode, 'DSOTYPENI');
  t.equal(decodeResponse(rawResponse([0, 0, 1], '00 0029 04d0 f0000000 0000'), query).rcode, 'RCODE3840');
  const signed = rawResponse([1], 'c00c 0001 0001 80000000 0004 c0000201');
  t.equal(decodeResponse(signed, query).records[0]?.ttl, 0);
  const soa = { mname: 'a.example', rname: 'b.example', minimum: 60 };
  const absent = (name: string) =>
    decodeResponse(
      response({ flags: 0x183, authorities: [{ name, type: 'SOA', ttl: 900, data: soa }] }),
      query,
    );
  t.match(absent('example.com'), { rcode: 'NXDOMAIN', negativeTtl: 60, records: [] });
  t.equal(absent('example.net').negativeTtl, undefined, 'a SOA of another zone');
  t.match(decodeResponse(response({ flags: 0x380 }).subarray(0, 33), query), {
    isTruncated: true,
    offersRecursion: true,
    records: [],
  });
  t.equal(decodeResponse(response({ flags: 0x180 }), query).offersRecursion, true);
  t.equal(decodeResponse(response({ flags: 0x100 }), query).offersRecursion, false);
  t.end();
});

t.test('contradictory messages are malformed', (t) => {
  const long = Buffer.concat(
    Array.from({ length: 5 }, () => Buffer.concat([Buffer.of(60), Buffer.alloc(60, 97)])),
  );
  const bad: Record<string, Buffer> = {
    'counts without rows': rawResponse([0xffff, 0xffff, 0xffff], ''),
    'one row missing': rawResponse([2], row(1, 'c0000201')),
    'an address of three bytes': rawResponse([1], row(1, 'c00002')),
    'an address of five bytes': rawResponse([1], row(1, 'c000020102')),
    'data beyond the end': rawResponse([1], 'c00c 0001 0001 00000000 0004 c000'),
    'a pointer to itself': rawResponse([1], 'c021 0001 0001 00000000 0004 c0000201'),
    'a pointer ahead': rawResponse([1], 'c0ff 0001 0001 00000000 0004 c0000201'),
    'a label of kind 0x40': rawResponse([1], '4000 0001 0001 00000000 0004 c0000201'),
    'a name of more than 255 bytes': rawResponse(
      [1],
      `${long.toString('hex')}00 0001 0001 00000000 0004 c0000201`,
    ),
    'two OPT': rawResponse([0, 0, 2], '00 0029 04d0 00000000 0000 00 0029 04d0 00000000 0000'),
    'OPT with a name': rawResponse([0, 0, 1], 'c00c 0029 04d0 00000000 0000'),
  };
  for (const [why, bytes] of Object.entries(bad))
    t.throws(() => decodeResponse(bytes, query), { name: 'UpstreamError', reason: 'malformed' }, why);
  for (const [type, name, rdata] of [
    [16, 'TXT', '05 61'],
    [5, 'CNAME', '03 61 62'],
    [5, 'CNAME', '01 61 00 00'],
    [6, 'SOA', '00 00 00000001'],
    [33, 'SRV', '0001 0002'],
    [257, 'CAA', '00 09 61'],
  ] as const)
    t.throws(
      () => valuesOf(type, rdata, name),
      { name: 'UpstreamError', reason: 'malformed' },
      `${name} ${rdata}`,
    );
  t.end();
});

t.test('64 kB of pointers or of rows with long names decode quickly', (t) => {
  const pointers = Buffer.alloc(65_000);
  const start = response({}).length;
  for (let at = 0; at < 64_900; at += 2)
    pointers.writeUInt16BE(0xc000 | Math.min(0x3fff, Math.max(12, start + at - 2)), at);
  const began = performance.now();
  for (let i = 0; i < 20; i++)
    t.throws(() => decodeResponse(rawResponse([0xffff], pointers.toString('hex')), query), {
      name: 'UpstreamError',
      reason: 'malformed',
    });
  const label = `3f${'61'.repeat(63)}`;
  const name = `${label.repeat(3)}00`;
  const rows = `${name} 0010 0001 00000000 0000` + 'c021 0010 0001 00000000 0000'.repeat(5000);
  t.same(decodeResponse(rawResponse([5001], rows), query).records, []);
  t.ok(performance.now() - began < 3000);
  t.end();
});

t.test('property: any mutated or truncated response is a message or malformed', (t) => {
  const seeds = [
    response({
      answers: [
        { name: 'www.example.com', type: 'CNAME', data: 'b.example.com', ttl: 5 },
        { name: 'b.example.com', type: 'A', data: '192.0.2.1', ttl: 5 },
      ],
      authorities: [{ name: 'example.com', type: 'SOA', data: { mname: 'a.b', rname: 'c.d', minimum: 5 } }],
    }),
    rawResponse([2, 0, 1], `${row(5, '0162c010')} ${row(16, '03616263')} 00 0029 04d0 00000000 0000`),
  ];
  const random = new Random(20_261_121);
  const began = performance.now();
  let refused = 0;
  for (let i = 0; i < 40_000; i++) {
    const cut = mutate(seeds[i % seeds.length]!, BYTE_MUTATORS, random);
    try {
      const { records } = decodeResponse(cut, { ...query, type: i % 3 === 0 ? 'TXT' : 'A' });
      for (const { value } of records) if (value.length > 4 * cut.length + 64) t.fail(cut.toString('hex'));
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.reason !== 'malformed') throw error;
      refused++;
    }
  }
  t.ok(refused > 1000 && refused < 40_000, `${refused} were rejected`);
  t.ok(performance.now() - began < 10_000);
  t.end();
});

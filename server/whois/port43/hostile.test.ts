import t from 'tap';
import { parseHostName } from '../../targets/host-name.js';
import { UpstreamError } from '../../upstream-error.js';
import { parseAddressRange } from './address-range.js';
import { decodeAnswer, readAnswer } from './read-answer.js';
import { parseWhoisHost, referralIn } from './referral.js';
import { splitFields } from './split-fields.js';
import { DOMAIN_SAMPLES, NETWORK_SAMPLES, type Sample } from './testing/samples.js';

const SAMPLES = [...DOMAIN_SAMPLES, ...NETWORK_SAMPLES];

const PIECES = [
  ':',
  '\n',
  '\r\n',
  '\t',
  '%',
  '[',
  ']',
  '>>>',
  ' '.repeat(50),
  '\0',
  '::',
  '//',
  'Registrar:\n',
  '- ',
];

/** Returns a seeded linear congruential generator. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Reads bytes as a reply. Returns the kind of answer or the reason of an UpstreamError. Rethrows other errors. */
function outcomeOf({ server, target }: Sample, bytes: Buffer): string {
  const text = decodeAnswer(bytes, undefined);
  referralIn(splitFields(text), target.kind, 43);
  try {
    const answer = readAnswer(server, text, target);
    if (answer.kind === 'found') requireShape(answer.registration);
    return answer.kind;
  } catch (error) {
    if (error instanceof UpstreamError) return error.reason;
    throw error;
  }
}

function requireShape(record: object): void {
  for (const [key, value] of Object.entries(record) as [string, string | string[]][]) {
    const isDate = key.endsWith('_date');
    if (isDate && !/^(?:|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/.test(value as string))
      throw new Error(`${key}: ${String(value)}`);
    if (key === 'nameservers' && !(value as string[]).every((name) => /^[a-z0-9.-]+$/.test(name)))
      throw new Error(`${key}: ${String(value)}`);
  }
}

t.test('randomly cut, mixed and damaged samples yield an answer or an UpstreamError', (t) => {
  const below = numbersFrom(43);
  const outcomes = new Map<string, number>();
  const absent = new Set<string>();
  for (let round = 0; round < 3000; round++) {
    const sample = SAMPLES[round % SAMPLES.length]!;
    const outcome = outcomeOf(sample, damaged(sample, below));
    if (outcome === 'absent') absent.add(`${sample.target.kind} at ${sample.server}`);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  t.ok(outcomes.get('found')! > 1000);
  t.ok(outcomes.get('malformed')! > 100);
  // RIPE answers an unassigned AS with the block that contains it.
  t.same([...absent], ['asn at whois.ripe.net']);
  t.end();
});

function damaged({ text }: Sample, below: (n: number) => number): Buffer {
  let bytes = Buffer.from(text);
  for (let i = below(6); i >= 0; i--) {
    const at = below(bytes.length + 1);
    switch (below(4)) {
      case 0:
        bytes = bytes.subarray(0, at);
        break;
      case 1:
        if (at < bytes.length) bytes[at] = below(256);
        break;
      case 2:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(PIECES[below(PIECES.length)]!),
          bytes.subarray(at),
        ]);
        break;
      default:
        bytes = Buffer.concat([bytes.subarray(at), bytes.subarray(0, at)]);
    }
  }
  return bytes;
}

t.test('512 kB of any text take linear time', (t) => {
  const texts = [
    'x',
    ' ',
    ':',
    '\n',
    '\t',
    '[',
    '-',
    '.',
    '%',
    '"',
    '9',
    'a:',
    ': ',
    'a\n',
    '\n ',
    ' a\n',
    'a. [',
    '# ',
    '>',
  ];
  // prettier-ignore
  const repeated = [
    'no match ',
    'example.com ',
    'Domain Name: ',
    'Registrar:\n',
    'status: a,',
    'nserver: a.b\n',
    'inetnum: ::/1\n',
    'created: 2026-01-02 ',
    'quota for ',
    'exceeded ',
    'netname: x\n',
    'refer: whois://',
    'person: x\n\n',
    'a: x\n\n',
    'holder-c: x\n\nnic-hdl: x\n\n', 'aut-num: AS1\n', 'registrant:\n x\n', '* ', '** ', '#\n',
  ];
  for (const piece of [...texts, ...repeated]) {
    const bytes = Buffer.from(piece.repeat(Math.floor((512 * 1024) / piece.length)));
    for (const sample of [DOMAIN_SAMPLES[0]!, NETWORK_SAMPLES[0]!]) {
      const start = performance.now();
      outcomeOf(sample, bytes);
      const ms = performance.now() - start;
      // About 100 ms on an idle machine. Non-linear time would take minutes.
      t.ok(ms < 5000, `${JSON.stringify(piece)} ${sample.target.kind} ${Math.round(ms)} ms`);
    }
  }
  t.end();
});

t.test('parses hosts and ranges from any text without an exception', (t) => {
  const below = numbersFrom(7);
  const alphabet = '0123456789abcdef.:/-[]@%?# \u00e9xwhois';
  for (let i = 0; i < 20_000; i++) {
    const text = Array.from({ length: below(24) }, () => alphabet[below(alphabet.length)]).join('');
    const host = parseWhoisHost(text, 43);
    if (host !== undefined && parseHostName(host) !== host) t.fail(`${text}: ${host}`);
    const range = parseAddressRange(text);
    if (range && range.start > range.end) t.fail(text);
  }
  t.end();
});

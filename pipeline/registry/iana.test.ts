import t from 'tap';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../fixtures/open-file.js';
import { parseAddress } from '../net/address.js';
import { formatPrefix } from '../net/prefix.js';
import { parseSpecialPurposeRegistry } from '../net/special-purpose.js';
import { IANA, loadIanaRegistries } from './iana.js';
import { cutsThatPass, refusalsOf, tryContents, tryFixtures } from './testing/source-trial.js';

const SPECIAL = ['iana-ipv4-special-registry.xml', 'iana-ipv6-special-registry.xml'] as const;
const fixture = (name: string): string =>
  readFileSync(join(PROJECT_ROOT, 'fixtures/feeds/iana', name), 'utf8');

/** Returns a registry in IANA's format. */
function registry(id: string, ...content: readonly string[]): string {
  const head = `<?xml version='1.0' encoding='UTF-8'?>\n<registry xmlns="http://www.iana.org/assignments" id="${id}">`;
  return `${head}\n<title>${id}</title>\n${content.join('\n')}\n</registry>\n`;
}

const AS_NUMBERS = registry(
  'as-numbers',
  '<registry id="as-numbers-1"><title>16-bit</title>',
  '<record><number>0</number><description>Reserved</description><xref type="rfc" data="rfc7607"/></record>',
  '<record><number>7</number><description>Assigned by RIPE NCC</description></record>',
  '<record><number>36864-37887</number><description>Assigned by AFRINIC</description><whois>w</whois></record>',
  '<record><number>64512-65534</number><description> Reserved for Private\n Use</description></record>',
  '</registry><registry id="as-numbers-2"><title>32-bit</title>',
  '<record><number>0-65535</number><description>See Sub-registry 16-bit AS numbers</description></record>',
  '<record><number>131072-132095</number><description>Assigned by APNIC</description></record>',
  '</registry>',
);

/** Returns IANA's 256 blocks in the format of the address space registry. */
function addressSpace(): string {
  const records = Array.from({ length: 256 }, (_, block) => {
    const designation = { 1: 'APNIC', 3: 'Administered by ARIN', 53: 'Daimler AG' }[block] ?? 'Future use';
    const prefix = `${String(block).padStart(3, '0')}/8`;
    return `<record><prefix>${prefix}</prefix><designation>${designation}</designation><status>S</status></record>`;
  });
  return registry('ipv4-address-space', ...records);
}

const UNICAST = registry(
  'ipv6-unicast-address-assignments',
  '<record date="1999-07-01"><prefix>2001:0000::/23</prefix><description>IANA</description><status>ALLOCATED</status></record>',
  '<record><prefix>2001:0200::/23</prefix><description>APNIC</description><status>ALLOCATED</status><notes/></record>',
  '<record><prefix>2600:0000::/12</prefix><description>ARIN</description><status>ALLOCATED</status></record>',
);

t.test('the registry of an AS number is the registry that assigns its block', async (t) => {
  const trial = await tryContents(t, IANA, { 'as-numbers.xml': AS_NUMBERS });
  const { registryOfAsn, asnBlocks } = loadIanaRegistries(trial.dir);
  t.equal(registryOfAsn(7), 'ripe');
  t.equal(registryOfAsn(36864), 'afrinic');
  t.equal(registryOfAsn(37887), 'afrinic');
  t.equal(registryOfAsn(132095), 'apnic');
  for (const asn of [0, 8, 37888, 64512, 132096]) t.equal(registryOfAsn(asn), undefined);
  t.same(asnBlocks[3], { first: 64512, last: 65534, designation: 'Reserved for Private Use' });
  t.equal(trial.tally('as-numbers.xml').rows, 6);
  t.same(trial.tally('as-numbers.xml').notes, { skipped: 1 }, 'the cross-reference to the other registry');
});

t.test('blocks of addresses are designated to registries, to others, or not at all', async (t) => {
  const trial = await tryContents(t, IANA, {
    'ipv4-address-space.xml': addressSpace(),
    'ipv6-unicast-address-assignments.xml': UNICAST,
  });
  const { registryOfAddress, addressBlocks } = loadIanaRegistries(trial.dir);
  const at = (address: string): string | undefined => registryOfAddress(parseAddress(address)!.address);
  t.equal(at('1.1.1.1'), 'apnic');
  t.equal(at('3.255.0.0'), 'arin');
  t.equal(at('53.0.0.1'), undefined);
  t.equal(at('2001:3ff::1'), 'apnic');
  t.equal(at('2600::1'), 'arin');
  t.equal(at('2001:db8::1'), undefined);
  t.equal(addressBlocks.length, 256 + 3);
  const { prefix, ...daimler } = addressBlocks[53]!;
  t.equal(formatPrefix(prefix.address, prefix.length), '53.0.0.0/8');
  t.same(daimler, { designation: 'Daimler AG', status: 'S' });
});

t.test('the special-purpose registries are loaded as they were read', async (t) => {
  const trial = await tryFixtures(t, IANA, SPECIAL);
  const expected = SPECIAL.flatMap((name) => parseSpecialPurposeRegistry(fixture(name)));
  const { specialPurpose, addressBlocks, registryOfAsn } = loadIanaRegistries(trial.dir);
  const plain = (rows: typeof specialPurpose): unknown =>
    rows.map(({ prefix, ...rest }) => [formatPrefix(prefix.address, prefix.length, prefix.family), rest]);
  t.same(plain(specialPurpose), plain(expected));
  t.equal(trial.tally(SPECIAL[0]).rows + trial.tally(SPECIAL[1]).rows, expected.length);
  t.same(addressBlocks, []);
  t.equal(registryOfAsn(7), undefined);
});

t.test('old copies of the special-purpose registries are refused', async (t) => {
  const rows = ['192.0.0.10/32', '100:0:0:1::/64', '2001:30::/28', '3fff::/20', '5f00::/16'];
  for (const row of rows) {
    const name = row.startsWith('192.') ? SPECIAL[0] : SPECIAL[1];
    const old = fixture(name).replace(row, name === SPECIAL[0] ? '192.0.0.11/32' : '2001:db8::/32');
    t.same(await refusalsOf(tryContents(t, IANA, { [name]: old })), [`stale iana/${name}`], row);
  }
});

t.test('bad records are rejected with their number', async (t) => {
  const content = registry(
    'as-numbers',
    '<record><number>one</number><description>Assigned by ARIN</description></record>',
    '<record><number>9-8</number><description>Assigned by ARIN</description></record>',
    '<record><number>4294967296</number><description>Assigned by ARIN</description></record>',
    '<record><number>8</number><description>Assigned by ARIN</description></record>',
  );
  const blocks = registry(
    'x',
    '<record><prefix>2001:zz::/23</prefix><description>APNIC</description></record>',
  );
  const trial = await tryContents(t, IANA, {
    'as-numbers.xml': content,
    'ipv6-unicast-address-assignments.xml': blocks,
  });
  t.same(trial.rejections('as-numbers.xml'), ['asn@1', 'asn@3', 'inverted@2']);
  t.same(trial.rejections('ipv6-unicast-address-assignments.xml'), ['address@1']);
  t.equal(loadIanaRegistries(trial.dir).registryOfAsn(8), 'arin');
});

t.test('BOM and CRLF are accepted', async (t) => {
  const content = `\u{feff}${AS_NUMBERS.replaceAll('\n', '\r\n')}`;
  const trial = await tryContents(t, IANA, { 'as-numbers.xml': content });
  t.equal(loadIanaRegistries(trial.dir).asnBlocks.length, 5);
});

t.test('a file cut at any byte gives the same result or is refused', async (t) => {
  const cuts = { 'as-numbers.xml': AS_NUMBERS, 'ipv6-unicast-address-assignments.xml': UNICAST };
  for (const [name, whole] of Object.entries(cuts)) {
    const passed = await cutsThatPass(t, IANA, {
      name,
      whole: Buffer.from(whole),
      read: ({ dir }) => readFileSync(join(dir, 'iana.json'), 'utf8'),
    });
    t.same(passed, [], name);
  }
});

t.test('a registry without its records, or another one, is refused', async (t) => {
  const lacksOne = addressSpace().replace(/<record><prefix>200.*\n/, '');
  const contents = {
    'ipv4-address-space.xml': lacksOne,
    'as-numbers.xml': UNICAST,
    'ipv6-unicast-address-assignments.xml': '<!DOCTYPE html><html></html>',
    [SPECIAL[0]]: '<error>busy</error>',
    [SPECIAL[1]]: registry('x', '<record><address>2001:zz::/23</address></record>'),
  };
  t.same(await refusalsOf(tryContents(t, IANA, contents)), [
    `header iana/${SPECIAL[0]}`,
    `header iana/${SPECIAL[1]}`,
    'truncated iana/ipv4-address-space.xml',
    'container iana/ipv6-unicast-address-assignments.xml',
    'header iana/as-numbers.xml',
  ]);
});

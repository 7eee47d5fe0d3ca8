import t from 'tap';
import { isWholeRegistry, recordsOf, RegistryError, textOf } from './registry-xml.js';

const XML = `<?xml version='1.0'?>
<registry xmlns="http://www.iana.org/assignments" id="outer">
  <record><prefix>1/8</prefix><whois>
    whois.apnic.net
  </whois></record>
  <registry id="inner">
    <record date="2006"><prefix>007</prefix><name>two <xref data="rfc1">RFC</xref>
      words</name></record>
  </registry>
  <registry id="empty"></registry>
</registry>
`;

t.test('records of nested registries are returned with those of the outer one', (t) => {
  const records = recordsOf(XML);
  t.same(
    records.map(({ prefix }) => prefix),
    ['1/8', '007'],
    'values stay texts',
  );
  t.same(recordsOf('<html><record>1</record></html>'), []);
  t.same(recordsOf('<registry><record>text</record><record/></registry>'), []);
  t.throws(() => recordsOf('<registry><record a=></registry'), RegistryError);
  t.end();
});

t.test('the text of an element is without child elements, and its white space is collapsed', (t) => {
  const [outer, inner] = recordsOf(XML);
  t.equal(textOf(outer?.['whois']), 'whois.apnic.net');
  t.match(textOf(inner?.['name']), /^two ?words$/);
  t.equal(textOf(' a \n\t b '), 'a b');
  for (const value of [undefined, null, ['a'], 7, {}]) t.equal(textOf(value), '');
  t.end();
});

t.test('a truncated registry is not whole', (t) => {
  t.ok(isWholeRegistry(XML));
  const end = XML.trimEnd().length;
  for (let length = 0; length < end; length++) {
    if (isWholeRegistry(XML.slice(0, length))) t.fail(`${length} of ${end} characters`);
  }
  t.notOk(isWholeRegistry(`${XML}more`));
  t.notOk(isWholeRegistry('</registry>'));
  t.end();
});

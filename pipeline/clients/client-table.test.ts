import t from 'tap';
import { clientTable, replaceTable } from './client-table.js';

t.test('a row names what was asked, the types with right answers, and each reason once', (t) => {
  const table = clientTable([
    {
      name: 'a',
      version: '1.0',
      replies: [
        { asked: '`city()`', type: 'ipatlas-City', problem: 'no <ipatlas-City> | x' },
        { asked: '`city()`', type: 'GeoIP2-City', problem: 'no <GeoIP2-City> | x' },
        { asked: '`city()`', type: 'GeoLite2-City' },
        { asked: '`asn()`', type: 'GeoLite2-ASN' },
      ],
    },
    { name: 'b', replies: [] },
  ]);
  t.same(table.split('\n').slice(2), [
    '| a | 1.0 | `city()` | GeoLite2-City | ipatlas-City, GeoIP2-City: no &lt;…> \\| x |',
    '|  |  | `asn()` | GeoLite2-ASN |  |',
    '| b |  |  |  | not installed |',
  ]);
  t.end();
});

t.test('a type with one wrong answer is not right', (t) => {
  const replies = [
    { asked: 'paths', type: 'ipatlas-ISP' },
    { asked: 'paths', type: 'ipatlas-ISP', problem: 'wrong' },
    { asked: 'paths', type: 'ipatlas-ISP', problem: 'wrong' },
  ];
  t.match(clientTable([{ name: 'a', version: '1', replies }]), '| a | 1 | paths |  | ipatlas-ISP: wrong |');
  t.end();
});

t.test('the table is written between its markers', (t) => {
  const guide = 'a\n\n<!-- clients: written by make clients -->\n\nold\n\n<!-- /clients -->\n\nb\n';
  const replaced = guide.replace('old', 'new');
  t.equal(replaceTable(guide, 'new'), replaced);
  t.equal(replaceTable(replaced, 'new'), replaced, 'a second time');
  t.throws(() => replaceTable('a', 'new'), /the guide lacks "<!-- clients/);
  t.end();
});

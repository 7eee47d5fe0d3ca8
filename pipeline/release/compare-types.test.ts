import t from 'tap';
import { parsePrefix } from '../net/prefix.js';
import { PrefixTable } from '../table/prefix-table.js';
import { compareTypes, type TypeTable } from './compare-types.js';

/** Returns a dataset with a type per prefix; an empty text means no type. */
function types(byPrefix: Readonly<Record<string, string>>): TypeTable {
  const table = new PrefixTable();
  const records = Object.entries(byPrefix).map(([text, type], id) => {
    const { address, length } = parsePrefix(text)!;
    table.insert(address, length, id);
    return type === '' ? { key: text } : { type, key: type };
  });
  return { table: table.flatten(), records };
}

const space = (ipv4Addresses: number) => ({ ipv4Addresses, ipv6Slash64s: 0 });

t.test('gains, losses and moves of types are counted', (t) => {
  const before = types({ '1.0.0.0/24': 'VPN', '1.0.1.0/24': 'TOR', '1.0.2.0/24': '' });
  const after = types({ '1.0.0.0/24': 'TOR', '1.0.1.0/24': 'TOR', '1.0.2.0/24': 'RES', '1.0.3.0/25': 'TOR' });
  const { types: changes, moves } = compareTypes(before, after);
  const changeOf = (type: string) => changes.find((change) => change.type === type);
  t.same(changeOf('TOR'), {
    type: 'TOR',
    before: space(256),
    after: space(640),
    gained: space(384),
    lost: space(0),
    changed: space(0),
  });
  t.match(changeOf('VPN'), { before: space(256), after: space(0), lost: space(256) });
  t.match(changeOf('RES'), { gained: space(256) });
  t.equal(changeOf('none'), undefined, 'no type is called none');
  t.same(new Set(moves.map(({ from, to }) => `${from} -> ${to}`)), new Set(['VPN -> TOR', 'none -> RES']));
  t.end();
});

t.test('a dataset compared with itself has not changed', (t) => {
  const one = types({ '1.0.0.0/24': 'VPN' });
  const { types: changes, moves } = compareTypes(one, one);
  t.same(moves, []);
  t.match(changes, [{ type: 'VPN', gained: space(0), lost: space(0) }]);
  t.end();
});

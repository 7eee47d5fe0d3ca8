import t from 'tap';
import { isoRegions, type DivisionEvidence } from './iso-regions.js';
import { stemOf, subdivisions } from './subdivision-names.js';

const NOTHING: DivisionEvidence = { votes: new Map(), namesOf: () => [], isoNamesOf: () => [] };
const division = (country: string, code: string, name: string, id = 1) => {
  return { id, country, code, name, asciiName: name };
};

t.test('the cities of a division have precedence over its name', (t) => {
  const votes = new Map([
    [
      'CN.30',
      new Map([
        ['CN-GD', 9],
        ['CN-GX', 1],
      ]),
    ],
    [
      'CN.31',
      new Map([
        ['CN-GD', 1],
        ['CN-HI', 1],
      ]),
    ],
  ]);
  const found = isoRegions([division('CN', '30', 'Elsewhere'), division('CN', '31', 'Hainan')], {
    ...NOTHING,
    votes,
  });
  t.same(
    [...found],
    [
      ['CN.30', 'CN-GD'],
      ['CN.31', 'CN-HI'],
    ],
    'without a majority, the name',
  );
  t.end();
});

t.test('divisions are matched by name, by stem, by beginning and by few letters', (t) => {
  const cases: [country: string, name: string, code: string | undefined][] = [
    ['CN', 'Guangdong', 'CN-GD'],
    ['CN', 'Inner Mongolia', 'CN-NM'],
    ['RU', 'Amur Oblast', 'RU-AMU'],
    ['RU', 'Belgorod Oblast', 'RU-BEL'],
    ['RU', 'Moscow Oblast', 'RU-MOS'],
    ['RU', 'Moscow', 'RU-MOW'],
    ['ES', 'Asturias', 'ES-AS'],
    ['KR', 'Seoul', 'KR-11'],
    ['JP', 'Ōsaka', 'JP-27'],
    ['IT', 'Tuscany', 'IT-52'],
    ['IT', 'Nowhere', undefined],
  ];
  const divisions = cases.map(([country, name], index) => division(country, String(index), name));
  const found = isoRegions(divisions, NOTHING);
  for (const [index, [country, name, code]] of cases.entries())
    t.equal(found.get(`${country}.${index}`), code, name);
  t.end();
});

t.test('ISO codes are kept, and other names of a place count', (t) => {
  const namesOf = (id: number) => (id === 7 ? ['Bayern'] : []);
  const found = isoRegions([division('US', 'NY', 'New York'), division('DE', '02', 'Free State', 7)], {
    ...NOTHING,
    namesOf,
  });
  t.same(
    [...found],
    [
      ['US.NY', 'US-NY'],
      ['DE.02', 'DE-BY'],
    ],
  );
  t.end();
});

t.test('two similar divisions get no code', (t) => {
  t.same(isoRegions([division('CN', '1', 'Hebei'), division('CN', '2', 'Hebei')], NOTHING).size, 0);
  t.end();
});

t.test('stems omit the words for a kind of subdivision', (t) => {
  t.equal(stemOf("Amurskaya oblast'"), 'amur');
  t.equal(stemOf('Guangxi Zhuangzu Zizhiqu'), 'guangxizhuangzu');
  t.equal(stemOf('Region'), 'region', 'a name is never empty');
  t.end();
});

t.test('subdivisions with a country code of their own are omitted', (t) => {
  const codes = new Set(subdivisions().map(({ code }) => code));
  for (const code of ['CN-TW', 'CN-HK', 'CN-MO', 'US-PR', 'FR-RE', 'FR-974', 'FI-01'])
    t.notOk(codes.has(code), code);
  for (const code of ['CN-GD', 'FR-PAC', 'FR-13', 'TW-TPE']) t.ok(codes.has(code), code);
  t.end();
});

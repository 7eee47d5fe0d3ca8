import t from 'tap';
import { isHostingByNames, isMobileByNames, useByNames, type NetworkNames } from './network-words.js';

const SMALL = 1024;
const LARGE = 2 ** 20;

t.test('words of carriers, mobile carriers and schools name the use of a network', (t) => {
  const known: [names: NetworkNames, use: string | undefined][] = [
    [{ name: 'EXAMPLETELECOM-AS', organisation: 'Example' }, 'ISP'],
    [{ organisation: 'Example Telekomunikasi' }, 'ISP'],
    [{ organisation: 'Example Telefonica S.A.' }, 'ISP'],
    [{ organisation: 'Rural Broadband Co-op' }, 'ISP'],
    [{ organisation: 'Provedor Exemplo de Acesso LTDA' }, 'ISP'],
    [{ name: 'EXAMPLEFIBRA', organisation: 'Exemplo Ltda' }, 'ISP'],
    [{ organisation: 'Kabelnetz Beispiel' }, 'ISP'],
    [{ organisation: 'University of Example' }, 'EDU'],
    [{ organisation: 'Universitas Contoh' }, 'EDU'],
    [{ organisation: 'Example College' }, 'EDU'],
    [{ name: 'EXAMPLE-1', domain: 'example.edu' }, 'EDU'],
    [{ name: 'EXAMPLE-1', domain: 'www.example.ac.jp' }, 'EDU'],
    [{ name: 'EXAMPLE-1', domain: 'education.example' }, undefined],
    [{ organisation: 'Universal Example Inc.' }, undefined],
    [{ organisation: 'Universe Example Inc.' }, undefined],
    [{ organisation: 'University Telecom Ltd' }, undefined],
    [{ organisation: 'Example Steel Works' }, undefined],
    [{}, undefined],
  ];
  for (const [names, use] of known) t.equal(useByNames(names, SMALL), use, JSON.stringify(names));
  t.end();
});

t.test('words that small companies use too count in large networks only', (t) => {
  const known: [organisation: string, use: string][] = [
    ['Example Mobile Ltd', 'MOB'],
    ['T-MOBILE-EXAMPLE', 'MOB'],
    ['Example Cellular', 'MOB'],
    ['Telefonia Celular de Ejemplo', 'MOB'],
    ['Example Communications', 'ISP'],
    ['Exampletel Sp. z o.o.', 'ISP'],
  ];
  for (const [organisation, use] of known) {
    t.equal(useByNames({ organisation }, LARGE), use, organisation);
    if (!/telefonia/i.test(organisation))
      t.equal(useByNames({ organisation }, SMALL), undefined, organisation);
  }
  t.equal(useByNames({ organisation: 'Example Mobile Telecom' }, SMALL), 'ISP');
  t.end();
});

t.test('names of hosting companies and exchanges name no use', (t) => {
  for (const organisation of [
    'Telecom Hosting Ltd',
    'Example Data Center and Broadband',
    'Cable Datacenter',
    'Wireless Servers Inc.',
    'Mobile Cloud Ltd',
    'Telecom Internet Exchange',
  ]) {
    t.equal(useByNames({ organisation }, LARGE), undefined, organisation);
    t.ok(isHostingByNames({ organisation }), organisation);
  }
  t.notOk(isHostingByNames({ name: 'GHOST-NET', organisation: 'Example Broadband' }));
  t.end();
});

t.test('mobile carriers are known by their handle or their organisation', (t) => {
  t.ok(isMobileByNames({ name: 'SINGTELMOBILE-AS-AP' }));
  t.ok(isMobileByNames({ name: 'EXAMPLE', organisation: 'Latvijas Mobilais Telefons' }));
  t.ok(isMobileByNames({ name: 'EXAMPLE', organisation: 'Example GSM' }));
  t.notOk(isMobileByNames({ name: 'EXAMPLE', organisation: 'Example Automobiles' }));
  t.end();
});

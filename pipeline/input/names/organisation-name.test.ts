import t from 'tap';
import { bestOrganisation, isHandle, namesOrganisation } from './organisation-name.js';

t.test('a handle is one word without lower case, or with a dash or an underscore', (t) => {
  for (const text of ['COMCAST-7922', 'UUNET', 'Deloitte-AS', 'gh_net', 'AS249', 'AT&T'])
    t.ok(isHandle(text), text);
  for (const text of ['Klayer', 'AT&T US', 'France Telecom', '\u963f\u91cc\u4e91', ''])
    t.notOk(isHandle(text), text);
  t.end();
});

t.test('remarks and addresses name no organisation', (t) => {
  const REMARKS = [
    '*****************',
    '# downlink to customer DalComBank',
    '--- Transit providers ---',
    '- - Transit - - -',
    '[RS DE-CIX DUS]',
    'www.active24.cz',
    'cords@rz.uni-frankfurt.de 20101227',
    'Tel: +40318108111 Fax: +40318108940',
    '+380 44 2284061',
    'No.31,Jin-rong Street',
  ];
  for (const text of REMARKS) t.notOk(namesOrganisation(text), text);
  const NAMES = [
    '+Net & Telecom',
    '-LINE TELECOM',
    '@NET TELECOM LTDA',
    '.au Domain Administration Ltd',
    'Fiber@Home',
  ];
  for (const text of NAMES) t.ok(namesOrganisation(text), text);
  t.end();
});

t.test('the first name wins, a handle only without any other name', (t) => {
  t.equal(bestOrganisation(['UUNET', undefined, 'Moscow, Russia', 'Verizon', 'MCI Inc.']), 'Verizon');
  t.equal(bestOrganisation(['10 Collyer Quay', 'UUNET', 'MCI']), 'UUNET');
  t.equal(bestOrganisation(['10 Collyer Quay', undefined]), undefined);
  t.end();
});

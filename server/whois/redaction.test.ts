import t from 'tap';
import { saysRedacted } from './redaction.js';

t.test('R27: words that stand for a name which is kept back', (t) => {
  const texts = [
    ...[
      'REDACTED FOR PRIVACY',
      'Redacted',
      'NOT DISCLOSED!',
      'Not Disclosed',
      'Non-Public Data',
      'GDPR Masked',
    ],
    ...['Private Person', 'Statutory Masking Enabled', 'Data Protected', 'Withheld due to GDPR', 'Not shown'],
    ...['hidden upon user request', '-', 'N/A', 'none', 'The name is not disclosed by the registry'],
  ];
  for (const text of texts) t.ok(saysRedacted(text), text);
  t.end();
});

t.test('names that only sound like it are names', (t) => {
  const texts = [
    ...['Hidden Valley Farms LLC', 'Unmasked Theatre', 'Nonesuch Records', 'Disclosed Ltd', 'NA Holding'],
    ...['Private Persons Bank', 'Withheld for Privacy ehf'],
  ];
  for (const text of texts) t.notOk(saysRedacted(text), text);
  t.end();
});

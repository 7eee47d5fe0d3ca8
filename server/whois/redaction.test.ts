import t from 'tap';
import { isRedacted } from './redaction.js';

t.test('decision 27: recognises texts that replace a redacted name', (t) => {
  // prettier-ignore
  const texts = [
    'REDACTED FOR PRIVACY', 'Redacted', 'NOT DISCLOSED!', 'Not Disclosed', 'Non-Public Data', 'GDPR Masked',
    'Private Person', 'Statutory Masking Enabled', 'Data Protected', 'Withheld due to GDPR', 'Not shown',
    'hidden upon user request', '-', 'N/A', 'none', 'The name is not disclosed by the registry',
  ];
  for (const text of texts) t.ok(isRedacted(text), text);
  t.end();
});

t.test('similar real names are not redacted', (t) => {
  const texts = [
    'Hidden Valley Farms LLC',
    'Unmasked Theatre',
    'Nonesuch Records',
    'Disclosed Ltd',
    'NA Holding',
    'Private Persons Bank',
    'Withheld for Privacy ehf',
  ];
  for (const text of texts) t.notOk(isRedacted(text), text);
  t.end();
});

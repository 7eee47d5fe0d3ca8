import t from 'tap';
import { languageOf, languageSchema } from './language.js';

t.test('decision 15: only the primary subtag counts, in any case; all other values are Chinese', (t) => {
  for (const text of ['en', 'EN', 'En-us', 'en-GB', 'en_US']) t.equal(languageOf(text), 'en', text);
  for (const text of [undefined, '', 'zh', 'zh-CN', 'ZH-hant', 'fr', 'english', 'zh-en', ' en', '-en', 'e'])
    t.equal(languageOf(text), 'zh', text ?? 'none');
  t.equal(languageSchema.parse(undefined), 'zh');
  t.equal(languageSchema.parse('en'), 'en');
  t.end();
});

import t from 'tap';
import { languageOf, languageSchema } from './language.js';

t.test('R15: the primary subtag in any case; whatever else is Chinese', (t) => {
  for (const text of ['en', 'EN', 'En-us', 'en-GB', 'en_US']) t.equal(languageOf(text), 'en', text);
  for (const text of [undefined, '', 'zh', 'zh-CN', 'ZH-hant', 'fr', 'english', 'zh-en', ' en', '-en', 'e'])
    t.equal(languageOf(text), 'zh', text ?? 'none');
  t.equal(languageSchema.parse(undefined), 'zh');
  t.equal(languageSchema.parse('en'), 'en');
  t.end();
});

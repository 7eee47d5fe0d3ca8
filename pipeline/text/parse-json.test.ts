import t from 'tap';
import { parseJson } from './parse-json.js';

t.test('JSON is parsed, and any other text is undefined', (t) => {
  t.same(parseJson('{"a":[1,null]}'), { a: [1, null] });
  t.equal(parseJson('null'), null);
  for (const text of ['', '{', '{"a":1}}', 'nul']) t.equal(parseJson(text), undefined, text);
  t.end();
});

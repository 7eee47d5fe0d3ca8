import t from 'tap';
import { bytesOf, byteText } from './byte-text.js';

t.test('a text keeps its UTF-8 bytes when it is joined and written', (t) => {
  for (const text of ['', 'plain', 'Zürich', '上海', '🌍', '"\\\u0000\u007f', 'ÿ\u0100', '\ud800']) {
    const coded = byteText(text);
    t.equal(coded.length, Buffer.byteLength(text), JSON.stringify(text));
    t.same(bytesOf(coded), Buffer.from(text));
    t.same(Buffer.from(`${coded}-${coded}`, 'latin1'), Buffer.from(`${text}-${text}`));
  }
  t.equal(byteText('plain'), 'plain');
  t.end();
});

import t from 'tap';
import { changesSection } from './changes-section.js';

const outlines = { countries: ['DE'], outlineOf: (country: string) => `#${country}` };
const changes = {
  since: '20261121T080000Z-000000000000',
  countries: { DE: { ipv4Addresses: 100_000, gained: 0, changed: 20 } },
  removed: 0,
};

t.test('the map and its legend have the words of the language', (t) => {
  const { text } = changesSection(changes, outlines, 'zh');
  for (const words of [
    '不足 0.1 %',
    '5 至 20 %',
    '20 % 及以上',
    '没有地址',
    '<title>德国: 20 / 100,000</title>',
  ])
    t.ok(text.includes(words), words);
  const visible = text
    .replace(/<[^>]*>/g, '')
    .replace(changes.since, '')
    .replaceAll('IPv4', '');
  t.notMatch(visible, /[a-z]{2}/i, 'no English');
  t.match(changesSection(changes, outlines, 'en').text, /under 0\.1 %[^]*20 % and more/);
  t.end();
});

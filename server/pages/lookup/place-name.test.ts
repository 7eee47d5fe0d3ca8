import t from 'tap';
import { placeName } from './place-name.js';

t.test('a place in English begins with the city, in Chinese with the country', (t) => {
  t.equal(placeName(['Nanjing', 'Jiangsu', 'China'], 'en'), 'Nanjing, Jiangsu, China');
  t.equal(placeName(['南京市', '江苏省', '中国'], 'zh'), '中国江苏省南京市');
  t.end();
});

t.test('empty and repeated names are left out, and Latin names have spaces', (t) => {
  t.equal(placeName(['上海', '上海', '中国'], 'zh'), '中国上海');
  t.equal(placeName(['', 'California', 'United States'], 'en'), 'California, United States');
  t.equal(placeName(['Springfield', '', '美国'], 'zh'), '美国 Springfield');
  t.equal(placeName(['', '', ''], 'zh'), '');
  t.end();
});

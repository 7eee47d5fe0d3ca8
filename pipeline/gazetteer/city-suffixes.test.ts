import t from 'tap';
import { withoutRegionWord } from './city-suffixes.js';

const named = (name: string, country: string, regionName?: string) =>
  withoutRegionWord(name, { country, regionName });

t.test('a city does not keep the word for its region', (t) => {
  t.equal(named('北宁省', 'VN', '北宁省'), '北宁');
  t.equal(named('巴蜀府', 'TH', '班武里府'), '巴蜀');
  t.equal(named('京都府', 'JP', '京都府'), '京都');
  t.equal(named('山西省', 'VN', '河内'), '山西');
  t.end();
});

t.test('the same word in the name of a city stays', (t) => {
  t.equal(named('别府', 'JP', '大分县'), '别府');
  t.equal(named('奠边府', 'VN', '奠边省'), '奠边府');
  t.equal(named('琅勃拉邦', 'LA', '琅勃拉邦'), '琅勃拉邦');
  t.equal(named('林道', 'DE', '巴伐利亚州'), '林道');
  t.equal(named('吉林省', 'CN', '吉林省'), '吉林省');
  t.equal(named('帕府', 'TH', '帕府'), '帕府', 'one character would be left');
  t.end();
});

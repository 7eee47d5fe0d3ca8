import t from 'tap';
import { displayWidth } from '../text/display-width.js';
import { alignColumns } from './columns.js';

t.test('columns are aligned in a terminal, also after wide characters', (t) => {
  const lines = alignColumns(
    [
      ['Beijing', 'CN', '7'],
      ['北京', '🇨🇳', '12,000'],
      ['서울특별시', 'KR', '中国'],
    ],
    2,
  );
  t.same(lines, ['Beijing     CN       7', '北京        🇨🇳  12,000', '서울특별시  KR    中国']);
  t.same(lines.map(displayWidth), [22, 22, 22]);
  t.end();
});

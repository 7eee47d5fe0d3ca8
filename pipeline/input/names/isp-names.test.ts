import t from 'tap';
import { cutLeadingIsp } from './isp-names.js';

t.test('the longest ISP name that begins a text is cut off', (t) => {
  const cases: readonly [string, string, string][] = [
    ['电信', '电信', ''],
    ['电信IDC机房', '电信', 'IDC机房'],
    ['中国电信/天翼', '中国电信', '天翼'],
    ['亚太电信', '亚太电信', ''],
    ['移动铁通', '移动铁通', ''],
    ['长城宽带 小区', '长城宽带', '小区'],
    ['香港电讯盈科PCCW', '香港电讯盈科', 'PCCW'],
  ];
  for (const [text, isp, rest] of cases) t.same(cutLeadingIsp(text), { isp, rest }, text);
  t.end();
});

t.test('an ISP name inside a text is not found', (t) => {
  for (const text of ['', '北京电信', '阿里巴巴anycast公共DNS', 'Microsoft', '山村电话合作股份有限公司']) {
    t.equal(cutLeadingIsp(text), undefined, text);
  }
  t.end();
});

import t from 'tap';
import { inferByGao } from './gao.js';
import { graphOf, printLabels } from './testing/inference.js';

function infer(lines: readonly string[]): string[] {
  const { graph, paths } = graphOf(lines);
  return printLabels(graph, inferByGao(graph, paths));
}

t.test('a path goes up to its AS of highest degree and down from there', (t) => {
  const others = ['100 61', '100 62', '100 63'];
  const labels = infer(['1 2 100 3 4', ...others]);
  t.ok(labels.includes('2>1'));
  t.ok(labels.includes('3>4'));
  t.end();
});

t.test('at the top only the link to the larger neighbour may be a peering', (t) => {
  const labels = infer(['2 100 3', '2 71', '2 72', '100 61', '100 62', '100 63']);
  t.ok(labels.includes('2=100'));
  t.ok(labels.includes('100>3'));
  t.end();
});

t.test('the majority of paths decides, a tie makes peers', (t) => {
  const up = '1 2 3 100';
  const down = '100 4 1 2 5';
  const others = ['100 61', '100 62', '100 63'];
  t.ok(infer([up, down, ...others]).includes('1=2'));
  t.ok(infer([up, down, '6 1 2 3 100', ...others]).includes('2>1'));
  t.ok(infer([up, down, '100 4 1 2 7', ...others]).includes('1>2'));
  t.end();
});

t.test('ASes with a degree ratio of 60 are not peers', (t) => {
  const star = (size: number) => infer(Array.from({ length: size }, (_, i) => `${200 + i} 10`));
  t.ok(star(59).includes('10=200'));
  t.ok(star(60).includes('10>200'));
  t.end();
});

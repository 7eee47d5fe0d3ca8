import t from 'tap';
import { numbersOf } from './as-graph.js';
import { inferByAsRank } from './as-rank.js';
import { graphOf, printLabels } from './testing/inference.js';
import { smallInternet } from './testing/small-internet.js';

/** Infers labels with AS-Rank for a given clique. */
function infer(lines: readonly string[], clique: readonly number[] = [1, 2]): string[] {
  const { graph, paths } = graphOf(lines);
  return printLabels(graph, inferByAsRank(graph, paths, numbersOf(graph, clique)));
}

/** Returns `count` consecutive numbers from `first`. */
const run = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

t.test('members of the clique are peers, and ASes whose routes are exported upwards are customers', (t) => {
  t.same(infer(['1 2 20 200', '1 2 20']), ['1=2', '20>200', '2>20']);
  t.end();
});

t.test(
  'an AS that receives routes of a peer from a neighbour is its customer, if the peering is on enough paths',
  (t) => {
    const views = (count: number) => run(10, count).map((origin) => `40 30 2 1 ${origin}`);
    t.ok(infer(views(3)).includes('2>30'));
    t.ok(infer(views(2)).includes('2=30'), 'two paths with the peering are not enough');
    const others = run(20, 5).map((origin) => `2 1 ${origin}`);
    t.ok(infer([...views(2), ...others]).includes('2=30'), 'nor are paths with it that 30 did not receive');
    t.end();
  },
);

t.test('links behind a partial feed lead to customers', (t) => {
  const lines = (stubs: number) => [
    '1 2 51',
    '50 51 2',
    '50 51 52',
    ...run(1000, stubs).map((as) => `1 2 ${as}`),
  ];
  t.ok(infer(lines(200)).includes('51>52'));
  t.ok(infer(lines(20)).includes('51=52'), 'the view has routes to more than 2 % of all ASes');
  const transit = ['50 60 61 62 63 64 51 52', '1 2 60 61 62 63 64 51'];
  t.ok(infer([...lines(200), ...transit]).includes('51>52'), 'ASes on the way are no routes');
  t.end();
});

t.test('a provider may be smaller than its customer if the customer is an origin', (t) => {
  const behind = ['1 2 20 30 31', '1 2 20 30 32', '1 2 20 30 33'];
  const labels = infer([...behind, '1 2 20 30']);
  t.ok(labels.includes('20>30'));
  t.ok(labels.includes('30>31'));
  t.ok(infer(behind).includes('20=30'), 'without the origin');
  const seldom = ['1 2 20 30', '1 2 20 30 31', '8 30 32', '8 30 33'];
  t.ok(infer(seldom).includes('20=30'), 'two paths are not enough');
  t.ok(infer([...seldom, '1 2 20 30 34']).includes('20>30'));
  t.end();
});

t.test('an even larger AS behind a larger customer is also labelled', (t) => {
  const behind = run(41, 4).map((as) => `1 2 20 30 40 ${as}`);
  const labels = infer(['1 2 20 30', '1 2 20 30 31', '1 2 20 30 32', ...behind]);
  t.ok(labels.includes('20>30'));
  t.ok(labels.includes('30>40'));
  t.end();
});

t.test('a transit AS without a provider gets a peer and customers', (t) => {
  const lines = (count: number) => ['1 2 20', ...run(61, count).map((as) => `71 60 ${as}`)];
  t.ok(infer(lines(10)).includes('60>71'));
  t.ok(infer(lines(10)).includes('60=61'));
  t.ok(infer(lines(8)).includes('60=71'), 'the transit degree is below ten');
  t.end();
});

t.test('customers of an AS without a provider get customers too', (t) => {
  const lines = [
    '1 2 20',
    '61 60 62 90',
    '61 60 62 91',
    ...run(62, 12).map((as) => `81 61 60 ${as}`),
    ...run(92, 5).map((as) => `81 61 ${as}`),
  ];
  const labels = infer(lines);
  t.ok(labels.includes('60=61'));
  t.ok(labels.includes('60>62'));
  t.ok(labels.includes('62>90'));
  t.end();
});

t.test('a customer of an AS without a provider gets only customers with a smaller transit degree', (t) => {
  const lines = (behind: number) => [
    '1 2 20',
    ...run(101, 10).map((as) => `81 61 60 ${as}`),
    '61 60 62 63',
    ...run(201, behind).map((as) => `62 63 ${as}`),
  ];
  t.ok(infer(lines(0)).includes('62>63'));
  t.ok(infer(lines(1)).includes('62=63'), 'both have a transit degree of 2');
  t.end();
});

t.test('an AS without transit degree is a customer of the clique', (t) => {
  t.ok(infer(['1 2 20', '90 2']).includes('2>90'));
  t.ok(infer(['1 2 20', '91 90 2']).includes('2=90'));
  t.end();
});

t.test('a link next to an unlabelled link becomes customer to provider', (t) => {
  const labels = infer(['1 2 20', '5 6 7', '5 6 7 8']);
  t.ok(labels.includes('5=6'));
  t.ok(labels.includes('6>7'));
  t.ok(labels.includes('7>8'));
  t.end();
});

t.test('behind the new customer of such a link, an AS of equal transit degree is a customer', (t) => {
  const labels = infer(['1 2 20', '5 6 7 8 9']);
  t.ok(labels.includes('6>7'));
  t.ok(labels.includes('7>8'), 'both have a transit degree of 2');
  t.end();
});

t.test('it does not if the neighbour receives or sends routes of a provider of both', (t) => {
  t.ok(infer(['1 2 6', '5 6 7', '5 6 2']).includes('6=7'));
  t.ok(infer(['1 2 6', '5 6 7', '2 6 5']).includes('6=7'));
  t.end();
});

t.test('it does not towards a larger AS, nor towards an AS that occurs on the other side', (t) => {
  const larger = run(71, 5).map((as) => `72 7 ${as}`);
  t.notOk(infer(['1 2 20', '5 6 7', ...larger]).includes('6>7'));
  t.notOk(infer(['1 2 20', '5 6 7', '7 6 9']).includes('6>7'));
  t.ok(infer(['1 2 20', '5 6 7', '7 6 9', '4 6 7']).includes('6=7'));
  t.end();
});

t.test('a smaller provider is found before its customer is taken for an AS without a provider', (t) => {
  const lines = ['1 2 20 30', '1 2 20 30 31', '1 2 20 30 32', ...run(101, 10).map((as) => `71 30 ${as}`)];
  const labels = infer(lines);
  t.ok(labels.includes('20>30'), 'although 30 has a transit degree above ten');
  t.notOk(labels.includes('30>71'));
  t.end();
});

t.test('stubs of the clique are labelled before links next to unlabelled links', (t) => {
  const labels = infer(['1 2 20', '9 1 3 6']);
  t.ok(labels.includes('1>9'));
  t.ok(labels.includes('1=3'), '9 is not a peer of 1');
  t.end();
});

t.test('a path that leaves the clique and returns to it is poisoned', (t) => {
  const { graph, paths } = graphOf(['1 2 20', '1 9 2 21', '1 2 9']);
  const inference = inferByAsRank(graph, paths, numbersOf(graph, [1, 2]));
  t.same([...inference.paths], [0, 2]);
  t.same(printLabels(graph, inference), ['1=2', '2>20', '2>9']);
  t.end();
});

t.test('in a small internet all customers are found and nearly all labels are right', (t) => {
  const { paths: lines, links } = smallInternet(16);
  const { graph, paths } = graphOf(lines);
  const labels = printLabels(graph, inferByAsRank(graph, paths));
  const wrong = labels.filter((label) => !links.has(label));
  t.same(
    wrong.filter((label) => label.includes('>')),
    [],
  );
  t.ok(labels.length > 150);
  t.ok(wrong.length < labels.length / 10, `${wrong.length} of ${labels.length}`);
  t.end();
});

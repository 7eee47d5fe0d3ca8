import t from 'tap';
import { probeQuerySchema, creditsOf, portOf } from './probe-query.js';
import { summaryOf } from './summary.js';

t.test('the summary counts attempts and rounds times to two decimals', (t) => {
  t.match(summaryOf([1.5, null, 2.25, 3.1]), { sent: 4, recv: 3, loss: 25, min: 1.5, max: 3.1, avg: 2.28 });
  t.match(summaryOf([null, 1, 1]), { sent: 3, recv: 2, loss: 33.33, avg: 1 });
  t.match(summaryOf([0.01, null, null]), { loss: 66.67, min: 0.01, max: 0.01, avg: 0.01 });
  t.same(summaryOf([0.1, 0.2]).avg, 0.15);
  t.same(summaryOf([null]), { sent: 1, recv: 0, loss: 100, min: null, max: null, avg: null, rtts: [null] });
  t.end();
});

t.test('decision 32: count and timeout are clamped, and non-numbers mean the default', (t) => {
  const read = (query: Record<string, string>) => probeQuerySchema.parse(query);
  t.match(read({}), { count: 4, timeout: 3000 });
  for (const [count, meant] of [
    ...([
      ['1', 1],
      ['10', 10],
      ['0', 1],
      ['-5', 1],
      ['11', 10],
      ['9'.repeat(400), 10],
    ] as const),
    ...([
      ['', 4],
      ['x', 4],
      ['3.5', 4],
      ['1e1', 4],
      [' 2', 4],
      ['0x2', 4],
      ['NaN', 4],
      ['Infinity', 4],
    ] as const),
  ])
    t.equal(read({ count }).count, meant, count);
  for (const [timeout, meant] of [
    ['99', 100],
    ['100', 100],
    ['5000', 5000],
    ['5001', 5000],
    ['abc', 3000],
  ] as const)
    t.equal(read({ timeout }).timeout, meant, timeout);
  t.end();
});

t.test('a probe costs its clamped count, or 4 from a node', (t) => {
  const price = (query: Record<string, string>) => creditsOf(probeQuerySchema.parse(query));
  t.equal(price({}), 4);
  t.equal(price({ count: '7' }), 7);
  t.equal(price({ count: '99' }), 10);
  t.equal(price({ count: '9', country: 'CN' }), 4);
  t.equal(price({ count: '1', node: 'a' }), 4);
  t.end();
});

t.test("decision 32: the target's port overrides the parameter, which overrides 80", (t) => {
  const port = (ofTarget: number | undefined, text?: string) =>
    portOf(ofTarget, probeQuerySchema.parse(text === undefined ? {} : { port: text }));
  t.equal(port(22, '443'), 22);
  t.equal(port(22, 'garbage'), 22);
  t.equal(port(undefined, '443'), 443);
  t.equal(port(undefined), 80);
  for (const text of ['', '0', '65536', 'http']) t.equal(port(undefined, text), undefined);
  t.end();
});

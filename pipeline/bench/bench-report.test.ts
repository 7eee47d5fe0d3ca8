import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { formatReport, type BenchReport } from './bench-report.js';

const BENCH = fileURLToPath(new URL('../bench.js', import.meta.url));

t.test('a figure that could not be measured is a dash, one that a row does not have is empty', (t) => {
  const report: BenchReport = {
    bench: 'example',
    notes: ['peer: not installed'],
    rows: [
      { subject: 'ours', figures: { seconds: 1.234, rate: Number.NaN } },
      { subject: 'peer', figures: { seconds: null } },
    ],
    bars: [{ what: 'speed', bar: 'at least 2 x', measured: '1 x', isMet: false }],
  };
  const printed = formatReport(JSON.parse(JSON.stringify(report)) as BenchReport);
  t.equal(
    printed,
    [
      'example',
      '  peer: not installed',
      '        seconds  rate',
      '  ours     1.23     -',
      '  peer        -      ',
      '  speed: 1 x, required at least 2 x: MISSED',
    ].join('\n'),
  );
  t.end();
});

t.test('a name that no benchmark begins with is refused with the list of names', (t) => {
  const { status, stderr } = spawnSync(process.execPath, [BENCH, 'mmdb/w', 'nothing'], { encoding: 'utf8' });
  t.equal(status, 2);
  t.match(stderr, /^unknown benchmark "nothing": expected one of table, feeds, .*mmdb\/write, /);
  t.end();
});

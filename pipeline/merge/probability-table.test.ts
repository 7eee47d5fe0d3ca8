import t from 'tap';
import { CONFIDENCE, probabilityOf } from './confidence.js';
import { DETAILS } from './precedence.js';
import { ProbabilityTable } from './probability-table.js';

t.test('a table has the probability of all evidence', (t) => {
  for (const [level, points] of Object.entries(CONFIDENCE)) {
    const table = new ProbabilityTable(points);
    const wrong = [];
    for (let share = 10; share <= 100; share += 10) {
      for (let voices = 1; voices <= 8; voices++) {
        for (const detail of DETAILS) {
          for (const radiusKm of [0, 1, 5, 6, 10, 19.5, 20, 50, 100, 200, 500, 501, 9000, undefined]) {
            const evidence = { share, voices, detail, radiusKm };
            if (table.of(evidence) !== probabilityOf(evidence, points)) wrong.push(evidence);
          }
        }
      }
    }
    t.same(wrong, [], level);
  }
  t.end();
});

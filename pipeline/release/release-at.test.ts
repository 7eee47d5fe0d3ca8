import t from 'tap';
import { parseMoment, releaseAt } from './release-at.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DIGITS = '0123456789ab';

t.test('a day is its end in UTC, today is the present, and a time is itself', (t) => {
  const cases = {
    '2026-11-20': '2026-11-20T23:59:59.999Z',
    '2026-11-21': '2026-11-21T12:00:00.000Z',
    '2026-11-20T10:00:00Z': '2026-11-20T10:00:00.000Z',
    '2026-11-20t10:00:00.5+02:00': '2026-11-20T08:00:00.500Z',
    '2024-02-29': '2024-02-29T23:59:59.999Z',
  };
  for (const [text, expected] of Object.entries(cases))
    t.same(parseMoment(text, NOW), { ms: Date.parse(expected) }, text);
  t.end();
});

t.test('other texts are refused by form, and the future as such', (t) => {
  const wrong = ['', '2026', '20261120', '2026-11-31', '2026-13-01', '2025-02-29', '2026-11-20T10:00:00'];
  for (const text of [
    ...wrong,
    '2026-11-20 10:00:00Z',
    '2026-02-31T10:00:00Z',
    '2026-11-20T25:00:00Z',
    'now',
  ])
    t.equal(parseMoment(text, NOW), 'form', text);
  for (const text of ['2026-11-22', '2026-11-21T12:00:01Z', '9999-12-31'])
    t.equal(parseMoment(text, NOW), 'future', text);
  t.end();
});

t.test('the release of a moment is the latest that was built before it, up to the current one', (t) => {
  const [one, two, three, four] = ['18', '19', '20', '21'].map((day) => `202611${day}T060000Z-${DIGITS}`);
  const other = `20261120T060000Z-ffffffffffff`;
  const names = [three!, one!, '.tmp-x', other, four!, 'notes', two!];
  const at = (text: string, current = four!) => {
    const moment = parseMoment(text, NOW);
    if (typeof moment === 'string') throw new Error(moment);
    return releaseAt(names, current, moment);
  };
  t.equal(at('2026-11-21').found?.id, four);
  t.equal(at('2026-11-21T05:59:59Z').found?.id, other, 'the later name of two with one time');
  t.equal(at('2026-11-20', three).found?.id, three, 'the current one of two with one time');
  t.equal(at('2026-11-21', three).found?.id, three, 'a rollback has replaced the newer one');
  t.equal(at('2026-11-18T06:00:00Z').found?.id, one);
  t.same(at('2026-11-17'), { oldest: { id: one, builtMs: Date.parse('2026-11-18T06:00:00Z') } });
  t.same(releaseAt(['x'], four!, { ms: NOW }), { oldest: undefined });
  t.end();
});

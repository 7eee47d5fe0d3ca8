import t from 'tap';
import { Failure } from '../failure.js';
import { BodiesUnderWay, type BodyUnderWay } from './bodies-under-way.js';

const LIMITS = { perSource: 2, bytes: 100 };

/** Counts a body that must be admitted. */
function begun(bodies: BodiesUnderWay, source: string): BodyUnderWay {
  const found = bodies.begin(source);
  if (found instanceof Failure) throw found;
  return found;
}

t.test('a source has its own count, and a body that ends makes room', (t) => {
  const bodies = new BodiesUnderWay(LIMITS);
  const first = begun(bodies, '192.0.2.1');
  begun(bodies, '192.0.2.1');
  t.match(bodies.begin('192.0.2.1'), { code: 429, headers: { 'Retry-After': '1' } });
  begun(bodies, '192.0.2.2');
  first.end();
  begun(bodies, '192.0.2.1');
  t.match(bodies.begin('192.0.2.1'), { code: 429 });
  t.end();
});

t.test('bytes are limited over all sources, and given back at the end', (t) => {
  const bodies = new BodiesUnderWay(LIMITS);
  const first = begun(bodies, '192.0.2.1');
  const second = begun(bodies, '192.0.2.2');
  t.equal(first.grow(60), undefined);
  t.equal(second.grow(40), undefined);
  t.match(second.grow(1), { code: 503, headers: { 'Retry-After': '1' } });
  second.end();
  t.equal(first.grow(40), undefined);
  t.match(begun(bodies, '192.0.2.3').grow(1), { code: 503 });
  t.end();
});

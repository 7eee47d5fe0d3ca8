import { Registry } from 'prom-client';
import t from 'tap';
import { RefusedConnections } from './refused-connections.js';

t.test(
  'refused connections are logged once per source, reason and minute, and all are counted',
  async (t) => {
    const lines: string[] = [];
    let now = 0;
    const refused = new RefusedConnections({ warn: (line: string) => lines.push(line) } as never, () => now);
    for (let i = 0; i < 3; i++) refused.add('pipelining', '192.0.2.1');
    refused.add('source', '192.0.2.1');
    refused.add('source', '192.0.2.2');
    t.same(lines, [
      'ended a connection from 192.0.2.1: too many requests wait for their answers',
      'refused a connection from 192.0.2.1: its limit MAX_CONNECTIONS_PER_SOURCE is reached',
      'refused a connection from 192.0.2.2: its limit MAX_CONNECTIONS_PER_SOURCE is reached',
    ]);
    now = 60_000;
    refused.add('total', '192.0.2.1');
    refused.add('pipelining', '192.0.2.1');
    refused.add('idle', '192.0.2.1');
    t.equal(lines.length, 6, 'again in the next minute');
    t.equal(lines[5], 'ended an idle connection from 192.0.2.1: the limit MAX_CONNECTIONS is reached');
    for (let i = 0; i < 1000; i++) refused.add('source', `198.51.100.${i}`);
    t.equal(lines.length, 3 + 100, 'at most 100 lines a minute in all');
    const registry = new Registry();
    refused.addMetrics(registry, () => 7);
    const text = await registry.metrics();
    t.match(text, /^ipatlas_connections_refused_total\{reason="idle"\} 1$/m);
    t.match(text, /^ipatlas_connections_refused_total\{reason="pipelining"\} 4$/m);
    t.match(text, /^ipatlas_connections_refused_total\{reason="source"\} 1002$/m);
    t.match(text, /^ipatlas_connections_refused_total\{reason="total"\} 1$/m);
    t.match(text, /^ipatlas_connections_open 7$/m);
  },
);

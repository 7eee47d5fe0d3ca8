import { Registry } from 'prom-client';
import t from 'tap';
import { addNodeMetrics, NodeCounts } from './node-counts.js';

t.test('counted events and connected nodes are exported', async (t) => {
  const [counts, registry] = [new NodeCounts(), new Registry()];
  addNodeMetrics(registry, counts, () => 7);
  for (let i = 0; i < 3; i++) counts.add('job_done');
  counts.add('job');
  counts.add('dropped');
  const text = await registry.metrics();
  t.match(text, /^ipatlas_nodes_connected 7$/m);
  for (const [event, count] of [
    ['job', 1],
    ['job_done', 3],
    ['dropped', 1],
    ['bad_message', 0],
    ['late_answer', 0],
    ['refused_handshake', 0],
  ] as const) {
    t.ok(text.includes(`\nipatlas_node_events_total{event="${event}"} ${count}\n`), event);
  }
  t.notMatch(text, /event=""/);
  t.equal(await registry.metrics(), text, 'reading changes nothing');
});

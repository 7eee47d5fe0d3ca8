import t from 'tap';
import { ENDPOINTS } from '../conformance/endpoint-checks.js';
import { RULES } from '../conformance/rule-checks.js';
import { runConformance } from '../conformance/run-conformance.js';
import { startConformanceWorld } from '../testing/conformance-world.js';

t.test('the service with all its upstreams passes the checks of all 22 endpoints', async (t) => {
  const { server, subjects } = await startConformanceWorld(t);
  const lines: string[] = [];
  const { passed, failed, skipped } = await runConformance(server.url, subjects, (line) => lines.push(line));
  t.same(
    lines.filter((line) => /^(FAILED|skip)/.test(line)),
    [],
  );
  t.same({ passed, failed, skipped }, { passed: 22 + RULES.length, failed: [], skipped: 0 });
  t.equal(ENDPOINTS.length, 22);
});

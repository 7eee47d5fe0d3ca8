import { runConformance } from '../conformance/run-conformance.js';
import { startConformanceWorld } from './conformance-world.js';

/** Runs `make conformance` against a server on the loopback. Exits with 1 unless all checks pass. */
const ends: (() => unknown)[] = [];
try {
  const { server, subjects } = await startConformanceWorld({ teardown: (end) => ends.unshift(end) });
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const { failed, skipped } = await runConformance(server.url, subjects, say);
  process.exitCode = failed.length === 0 && skipped === 0 ? 0 : 1;
} finally {
  for (const end of ends) await end();
}

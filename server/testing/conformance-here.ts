import { runConformance } from '../conformance/run-conformance.js';
import { startConformanceWorld } from './conformance-world.js';

/** `make conformance`: holds a service on the loopback against its description. Exit code 1 unless all of it is kept. */
const ends: (() => unknown)[] = [];
try {
  const { server, subjects } = await startConformanceWorld({ teardown: (end) => ends.unshift(end) });
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const { failed, skipped } = await runConformance(server.url, subjects, say);
  process.exitCode = failed.length === 0 && skipped === 0 ? 0 : 1;
} finally {
  for (const end of ends) await end();
}

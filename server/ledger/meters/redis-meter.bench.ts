import { Redis } from 'ioredis';
import t from 'tap';
import { newLedgerForTest, subjectOf } from '../testing/ledger.js';

// Compares admissions of 50 callers in one process with as many GETs of plain ioredis, in turns.

const CALLERS = 50;
const CALLS = 30_000;

async function measure(name: string, call: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < CALLS) await call(next++);
  };
  const cpu = process.cpuUsage();
  const began = performance.now();
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const each = ((user + system) / CALLS).toFixed(1);
  process.stdout.write(`# ${name}: ${Math.round(CALLS / seconds)} a second, ${each} us of CPU each\n`);
}

t.test('admissions', async (t) => {
  const { ledger, url } = await newLedgerForTest(t);
  const plain = new Redis(url);
  const pipelined = new Redis(url, { enableAutoPipelining: true });
  t.teardown(() => {
    plain.disconnect();
    pipelined.disconnect();
  });
  const subjects = Array.from({ length: 1000 }, (_, id) => subjectOf(id, { creditsPerMonth: 1_000_000 }));
  for (let round = 0; round < 3; round++) {
    await measure('charge', (i) => ledger.meter.charge(subjects[i % 1000]!, { credits: 1 }));
    await measure('GET, one by one', (i) => plain.get(`key:${i % 1000}`));
    await measure('GET, pipelined by ioredis', (i) => pipelined.get(`key:${i % 1000}`));
  }
});

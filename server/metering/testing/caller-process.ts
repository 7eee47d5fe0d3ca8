import { openLedger } from '../../accounts/ledger.js';
import { subjectOf } from './ledger.js';

// A process that calls, for tests: <redis url> charge|reserve|download <how many>. Prints how many were let in.
const [url = '', kind = '', count = '0'] = process.argv.slice(2);
const ledger = openLedger({ redis: { url }, timeZone: 'UTC', holdMs: 300 });
await ledger.ready(10_000);
const subject = subjectOf(17);
const call = async (): Promise<boolean> => {
  if (kind === 'download') return (await ledger.downloads.take(17, 'mmdb')).refused === undefined;
  const { refused } = await (kind === 'charge'
    ? ledger.meter.charge(subject, { credits: 1 })
    : ledger.meter.reserve(subject, { credits: 1 }));
  return refused === undefined;
};
const admitted = await Promise.all(Array.from({ length: Number(count) }, call));
process.stdout.write(`${admitted.filter((mine) => mine).length}\n`);
// One that reserves never settles: it waits to be killed.
if (kind !== 'reserve') ledger.close();

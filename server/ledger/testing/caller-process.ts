import { openLedger } from '../ledger.js';
import { subjectOf } from './ledger.js';

// A process that calls, for tests. Arguments: <redis url> charge|reserve|download <calls>. Prints the admitted calls.
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
process.stdout.write(`${admitted.filter((isAdmitted) => isAdmitted).length}\n`);
// A process that reserves never settles. The test kills it.
if (kind !== 'reserve') ledger.close();

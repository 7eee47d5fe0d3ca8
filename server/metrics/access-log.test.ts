import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import t from 'tap';

const FULL_DISK = '/dev/full';
const LOG = new URL('./access-log.js', import.meta.url).href;

const WRITES_A_LOT = `
  import { setTimeout as sleep } from 'node:timers/promises';
  const { openLog } = await import(${JSON.stringify(LOG)});
  const { log, flush } = openLog('info');
  for (let i = 0; i < 20; i++) {
    for (let j = 0; j < 500; j++) log.info('a line that is long enough to fill the buffer sooner or later');
    await sleep(5);
  }
  flush();
  process.exit(7);
`;

const skip = existsSync(FULL_DISK) ? false : 'this system has no full disk to try';

t.test('a full disk does not stop the server, and is reported once', { skip }, async (t) => {
  const disk = openSync(FULL_DISK, 'w');
  const options = ['--input-type=module', '-e', WRITES_A_LOT];
  const child = spawn(process.execPath, options, { stdio: ['ignore', disk, 'pipe'] });
  closeSync(disk);
  const [said, ended] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  t.same(ended, [7, null], 'it went on to its end');
  t.equal(said.match(/cannot write the log: .*ENOSPC/g)?.length, 1, said);
});

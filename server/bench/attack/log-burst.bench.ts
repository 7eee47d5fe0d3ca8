import { setTimeout as sleep } from 'node:timers/promises';
import { withServer, type AttackedServer } from './attacked-server.bench.js';
import { barOnly, joined, type Family, type Findings } from './finding.bench.js';
import { launchAttack } from './launch-attack.bench.js';

/** Finding 6: a burst of requests, with the log in a file and in a pipe that is read late. */
export const logBurst: Family = async ({ isQuick }) => {
  const requests = isQuick ? 5000 : 20_000;
  const toFile = await withServer({}, async (server) => {
    const answers = await burst(server, requests);
    await sleep(2000);
    return verdict(`6: ${requests} requests, log in a file`, answers, server.log);
  });
  const toPipe = await withServer({ pipesLog: true }, async (server) => {
    const answers = await burst(server, requests);
    await sleep(2000);
    let text = '';
    server.logPipe?.on('data', (chunk: Buffer) => (text += chunk.toString())).resume();
    // The report of a loss may need another line or a moment.
    await sleep(3000);
    return verdict(`6: ${requests} requests, log in a pipe that is read 2 s later`, answers, text);
  });
  return joined([toFile, toPipe]);
};

async function burst(server: AttackedServer, requests: number): Promise<number> {
  const connections = 200;
  const { answers } = await launchAttack({
    url: server.url,
    ...{ source: connections, connections, copies: requests / connections, waits: true, limitMs: 60_000 },
    opening: 'GET /ip HTTP/1.1\r\nHost: a\r\n\r\n',
  });
  return answers;
}

function verdict(what: string, answers: number, log: string): Findings {
  const logged = log.split('\n').filter((line) => line.includes('"route":"/ip"')).length;
  const reported = [...log.matchAll(/"dropped":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  return barOnly(what, 'every answer logged, or its loss counted in the log', {
    measured: `${answers} answered, ${logged} logged, ${reported} reported as dropped`,
    isMet: logged + reported === answers,
  });
}

import t from 'tap';
import { PublicHosts } from '../../egress/public-hosts.js';
import { ProbeRefused, type Prober, type RoundTrips } from '../../probe/prober.js';
import { UpstreamError } from '../../upstream-error.js';
import { testGuard } from '../testing/node-server.js';
import { knowing } from '../testing/test-agent.js';
import { until } from '../testing/until.js';
import { JobRunner, type Job } from './job-runner.js';

const RTTS = [1, 2, null, 4];
const NAMES = {
  'public.example.com': ['10.0.0.1', '93.184.216.34'],
  'private.example.com': ['10.0.0.1', '127.0.0.1', '::1', 'fd00::1'],
};
const hosts = new PublicHosts(knowing(NAMES), await testGuard(false));

/** A prober whose probes end when the test says so. */
class HeldProber implements Prober {
  readonly tried: string[] = [];
  readonly end: (() => void)[] = [];

  probe({ ip, port, count }: { ip: string; port: number; count: number }): Promise<RoundTrips> {
    this.tried.push(`${ip} ${port} ${count}`);
    return new Promise((resolve) =>
      this.end.push(() => {
        resolve(RTTS);
      }),
    );
  }
}

function job(id: string, host = 'public.example.com', leftMs = 10_000): Job {
  return { id, host, port: 443, leftMs };
}

const ignore = (): void => undefined;

t.test('decision 33: a node resolves once and probes the first public address four times', async (t) => {
  const prober = new HeldProber();
  const runner = new JobRunner({ hosts, prober, maxJobs: 5 });
  let accepted = 0;
  const answer = runner.run(job('a'), () => accepted++);
  t.equal(accepted, 1);
  await until('the probe runs', () => prober.end.length === 1);
  prober.end[0]!();
  t.same(await answer, { type: 'result', id: 'a', ip: '93.184.216.34', rtts: RTTS });
  t.same(prober.tried, ['93.184.216.34 443 4']);
});

t.test('hostile: private addresses and invalid targets are not probed', async (t) => {
  const prober = new HeldProber();
  const runner = new JobRunner({ hosts, prober, maxJobs: 5 });
  const cases = [
    ['private.example.com', 'not-public'],
    ['127.0.0.1', 'not-public'],
    ['169.254.169.254', 'not-public'],
    ['::ffff:10.0.0.1', 'not-public'],
    ['64:ff9b::7f00:1', 'not-public'],
    ['nobody.example.com', 'not-found'],
    ['2130706433', 'malformed'],
    ['0x7f000001', 'malformed'],
    ['127.1', 'malformed'],
    ['localhost', 'malformed'],
    ['printer.local', 'malformed'],
    ['user@public.example.com', 'malformed'],
    ['fe80::1%eth0', 'malformed'],
  ] as const;
  for (const [host, reason] of cases)
    t.same(await runner.run(job(host, host), ignore), { type: 'refused', id: host, reason }, host);
  t.same(prober.tried, []);
  t.equal(runner.size, 0);
});

t.test('jobs beyond the limit, duplicate ids, and jobs while leaving are refused', async (t) => {
  const prober = new HeldProber();
  const runner = new JobRunner({ hosts, prober, maxJobs: 2 });
  const running = [runner.run(job('a'), ignore), runner.run(job('b'), ignore)];
  t.match(await runner.run(job('c'), ignore), { reason: 'busy' });
  t.match(await runner.run(job('a'), ignore), { reason: 'duplicate' });
  const drained = runner.drain();
  t.match(await runner.run(job('d'), ignore), { reason: 'leaving' });
  await until('both probes run', () => prober.end.length === 2);
  for (const end of prober.end) end();
  await drained;
  t.match(await Promise.all(running), [{ type: 'result' }, { type: 'result' }]);
});

t.test('a job is forgotten after a while, and its late result is not sent', async (t) => {
  const prober = new HeldProber();
  const runner = new JobRunner({ hosts, prober, maxJobs: 1, forgetMs: 50 });
  const stuck = runner.run(job('a'), ignore);
  await until('it is forgotten', () => runner.size === 0);
  const again = runner.run(job('b'), ignore);
  await until('the next probe runs', () => prober.end.length === 2);
  for (const end of prober.end) end();
  t.equal(await stuck, undefined);
  t.ok([undefined, 'result'].includes((await again)?.type));
});

t.test('failing name servers and a busy machine are refusals', async (t) => {
  const silent = { find: () => Promise.reject(new UpstreamError('timeout', 'silence')) };
  const full = { probe: () => Promise.reject(new ProbeRefused('too many')) };
  const prober = new HeldProber();
  t.match(await new JobRunner({ hosts: silent, prober, maxJobs: 1 }).run(job('a'), ignore), {
    reason: 'unresolved',
  });
  t.match(await new JobRunner({ hosts, prober: full, maxJobs: 1 }).run(job('a'), ignore), { reason: 'busy' });
});

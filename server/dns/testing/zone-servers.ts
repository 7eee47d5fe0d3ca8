import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { freePort } from '../../../pipeline/testing/free-port.js';
import { StubClient } from '../stub-client.js';

/** Returns why a test must be skipped, or false. Throws instead when CI=true. */
export function withoutNameServers(): string | false {
  const missing = ['knotd', 'unbound'].filter(
    (command) => spawnSync(command, ['-V'], { stdio: 'ignore', env: PATHS }).error !== undefined,
  );
  if (missing.length === 0) return false;
  const reason = `${missing.join(' and ')} not installed (apt-get install knot unbound)`;
  if (process.env['CI'] === 'true') throw new Error(reason);
  return reason;
}

/** The started servers as `address:port`. */
export interface ZoneServers {
  /** knotd with the zones. */
  readonly authoritative: string;
  /** unbound, which queries knotd. */
  readonly recursive: string;
}

/** Serves zones, given as master files by name, on loopback until the test ends. */
export async function serveZones(t: Test, zones: Readonly<Record<string, string>>): Promise<ZoneServers> {
  const dir = mkdtempSync(join(tmpdir(), 'ipatlas-zones-'));
  const [own, asking] = [await freePort(), await freePort()];
  const names = Object.keys(zones);
  for (const name of names) writeFileSync(join(dir, `${name}.zone`), zones[name]!);
  writeFileSync(join(dir, 'knot.conf'), knotConfig(dir, own, names));
  writeFileSync(join(dir, 'unbound.conf'), unboundConfig(dir, asking, own, names));
  const children = [
    spawn('knotd', ['-c', join(dir, 'knot.conf')], { stdio: 'ignore', env: PATHS }),
    spawn('unbound', ['-d', '-p', '-c', join(dir, 'unbound.conf')], { stdio: 'ignore', env: PATHS }),
  ];
  t.teardown(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });
  const servers = { authoritative: `127.0.0.1:${own}`, recursive: `127.0.0.1:${asking}` };
  for (const server of Object.values(servers)) await answering(server, names[0]!);
  return servers;
}

/** Debian installs daemons outside the default PATH. */
const PATHS = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };

// prettier-ignore
function knotConfig(dir: string, port: number, names: readonly string[]): string {
  return [
    'server:', `  listen: 127.0.0.1@${port}`, `  rundir: ${dir}`,
    '  udp-workers: 1', '  tcp-workers: 1', '  background-workers: 1',
    'database:', `  storage: ${dir}`, 'template:', '  - id: default', `    storage: ${dir}`,
    '    file: "%s.zone"', '    semantic-checks: off', '    zonefile-sync: -1', '    journal-content: none',
    'zone:', ...names.map((name) => `  - domain: ${name}`), '',
  ].join('\n');
}

// prettier-ignore
function unboundConfig(dir: string, port: number, upstream: number, names: readonly string[]): string {
  return [
    'server:', '  interface: 127.0.0.1', `  port: ${port}`, '  do-ip6: no', '  num-threads: 1',
    '  chroot: ""', `  username: "${userInfo().username}"`, `  directory: "${dir}"`, '  pidfile: ""',
    '  use-syslog: no', `  logfile: "${join(dir, 'unbound.log')}"`, '  module-config: "iterator"',
    '  do-not-query-localhost: no', '  outgoing-range: 64', '  so-rcvbuf: 0', '  so-sndbuf: 0',
    ...names.filter((name) => name.endsWith('.arpa')).map((name) => `  local-zone: "${name}" nodefault`),
    'remote-control:', '  control-enable: no',
    ...names.flatMap((name) => ['stub-zone:', `  name: "${name}"`, `  stub-addr: 127.0.0.1@${upstream}`]),
    '',
  ].join('\n');
}

async function answering(server: string, zone: string): Promise<void> {
  const client = new StubClient({ servers: [server], tryMs: 200, budgetMs: 200 });
  const giveUp = performance.now() + 10_000;
  for (;;) {
    try {
      await client.query(zone, 'SOA', Infinity);
      return;
    } catch (error) {
      if (performance.now() > giveUp) throw error;
      await sleep(50);
    }
  }
}

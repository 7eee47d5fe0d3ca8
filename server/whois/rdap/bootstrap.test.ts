import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { WhoisTarget } from '../whois-record.js';
import { RdapBootstrap } from './bootstrap.js';

const COM: WhoisTarget = { kind: 'domain', name: 'example.com' };
const names = (host: string) => JSON.stringify({ services: [[['com'], [`https://${host}.example.com/`]]] });

t.test(
  'each file comes from the first folder with a valid copy, and an invalid one keeps the copy in use',
  async (t) => {
    const [fresh, bundled] = ['fresh', 'bundled'].map((name) =>
      join(t.testdir({ fresh: {}, bundled: {} }), name),
    );
    mkdirSync(bundled!, { recursive: true });
    mkdirSync(fresh!, { recursive: true });
    const file = join(fresh!, 'dns.json');
    writeFileSync(join(bundled!, 'dns.json'), names('bundled'));
    writeFileSync(join(bundled!, 'asn.json'), '{"services":[[["64496"],["https://as.example.com/"]]]}');
    const lines: string[] = [];
    const dirs = [fresh!, bundled!];
    const bootstrap = new RdapBootstrap({ dirs, allowPorts: false, log: (line) => lines.push(line) });
    t.teardown(() => {
      bootstrap.close();
    });
    const host = async () => (await bootstrap.serversOf(COM))?.[0]?.host;
    t.equal(await host(), 'bundled.example.com', 'the first query waits for the files');
    writeFileSync(file, names('new'));
    await bootstrap.look();
    t.equal(await host(), 'new.example.com');
    writeFileSync(file, names('newer').slice(0, -5));
    await bootstrap.look();
    await bootstrap.look();
    t.equal(await host(), 'new.example.com', 'torn');
    t.equal(lines.length, 1, 'logged once');
    rmSync(file);
    await bootstrap.look();
    t.equal(await host(), 'new.example.com', 'gone');
    writeFileSync(file, names('newest'));
    await bootstrap.look();
    t.equal(await host(), 'newest.example.com');
    t.ok(await bootstrap.serversOf({ kind: 'asn', asn: 64_496 }));
    t.equal(
      await bootstrap.serversOf({ kind: 'ip', ip: '192.0.2.1', version: 4 }),
      undefined,
      'ipv4.json does not exist',
    );
  },
);

t.test('an invalid file at startup is skipped for the next folder', async (t) => {
  const dir = t.testdir({ a: { 'dns.json': '{' }, b: { 'dns.json': names('b') } });
  const bootstrap = new RdapBootstrap({ dirs: [join(dir, 'a'), join(dir, 'b')], allowPorts: false });
  t.equal((await bootstrap.serversOf(COM))?.[0]?.host, 'b.example.com');
  bootstrap.close();
});

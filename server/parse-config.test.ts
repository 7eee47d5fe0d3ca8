import t from 'tap';
import { parseConfig } from './parse-config.js';

const parse = (variables: Readonly<Record<string, string>>, flags = {}) =>
  parseConfig((name) => variables[name], '/output', flags);

t.test('an empty environment gives the defaults', (t) => {
  t.match(parse({ HOST: ' ' }), {
    port: 8080,
    metricsPort: 9464,
    metricsHost: '127.0.0.1',
    timeZone: 'UTC',
    workers: 1,
  });
  t.notOk('host' in parse({}));
  t.end();
});

t.test('every variable is read, and options of the command line come before them', (t) => {
  const settings = parse(
    {
      ...{
        PORT: '1',
        HOST: '::1',
        METRICS_PORT: '0',
        TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32',
        WORKERS: '3',
      },
      ...{
        SERVER_TZ: 'Asia/Shanghai',
        DNS_SERVERS: '192.0.2.1,[2001:db8::1]:53,192.0.2.2:5353',
        LOG_LEVEL: 'warn',
      },
    },
    { port: '2' },
  );
  t.match(settings, {
    port: 2,
    host: '::1',
    metricsPort: 0,
    workers: 3,
    timeZone: 'Asia/Shanghai',
    logLevel: 'warn',
  });
  t.same(settings.trustedProxies, ['10.0.0.0/8', '2001:db8::/32']);
  t.same(settings.dnsServers, ['192.0.2.1', '[2001:db8::1]:53', '192.0.2.2:5353']);
  t.end();
});

t.test('a bad value is one line that names it', (t) => {
  const bad: [string, string][] = [
    ...['http', '-1', '65536', '1e3', '0x50'].map((value): [string, string] => ['PORT', value]),
    ...['0', '2000'].map((value): [string, string] => ['WORKERS', value]),
    ...['10.0.0.0/33', 'proxy', '10.0.0.0/8/8', '1.2.3'].map((value): [string, string] => [
      'TRUSTED_PROXIES',
      value,
    ]),
    ...['Mars/Base', '+01:00'].map((value): [string, string] => ['SERVER_TZ', value]),
    ...['dns.example', '192.0.2.1:99999'].map((value): [string, string] => ['DNS_SERVERS', value]),
    ['LOG_LEVEL', 'loud'],
  ];
  for (const [name, value] of bad) {
    t.throws(
      () => parse({ [name]: value }),
      { name: 'ConfigError', message: `${name} "${value}" makes no sense` },
      value,
    );
  }
  t.throws(() => parse({ REDIS_URL: 'http://u:secret@h' }), { message: /^REDIS_URL makes no sense/ });
  t.end();
});

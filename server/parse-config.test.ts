import t from 'tap';
import { parseConfig, parseRedis } from './parse-config.js';

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

t.test('reads every variable; options of the command line take precedence', (t) => {
  const settings = parse(
    {
      PORT: '1',
      HOST: '::1',
      METRICS_PORT: '0',
      TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32',
      WORKERS: '3',
      SERVER_TZ: 'Asia/Shanghai',
      DNS_SERVERS: '192.0.2.1,[2001:db8::1]:53,192.0.2.2:5353',
      LOG_LEVEL: 'warn',
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
  t.same(settings.probeDenyPorts, [25, 465, 587]);
  t.same(settings.trustedProxies, ['10.0.0.0/8', '2001:db8::/32']);
  t.same(settings.dnsServers, ['192.0.2.1', '[2001:db8::1]:53', '192.0.2.2:5353']);
  t.end();
});

t.test('PROBE_DENY_PORTS may be empty, unlike other variables', (t) => {
  t.same(parse({ PROBE_DENY_PORTS: '' }).probeDenyPorts, []);
  t.same(parse({ PROBE_DENY_PORTS: '22, 25' }).probeDenyPorts, [22, 25]);
  t.same(parse({}).probeDenyPorts, [25, 465, 587]);
  t.equal(parse({ PORT: '' }).port, 8080);
  t.end();
});

t.test('an invalid value is one line that names the variable, the value and what is allowed', (t) => {
  const bad: [string, string][] = [
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '1e3'],
    ['PORT', '0x50'],
    ['WORKERS', '0'],
    ['WORKERS', '2000'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'proxy'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['TRUSTED_PROXIES', '1.2.3'],
    ['SERVER_TZ', 'Mars/Base'],
    ['SERVER_TZ', '+01:00'],
    ['DNS_SERVERS', 'dns.example'],
    ['DNS_SERVERS', '192.0.2.1:99999'],
    ['LOG_LEVEL', 'loud'],
    ['PROBE_DENY_PORTS', '0'],
    ['PROBE_DENY_PORTS', '25,65536'],
    ['PROBE_DENY_PORTS', '25,,587'],
    ['PROBE_DENY_PORTS', 'smtp'],
  ];
  for (const [name, value] of bad) {
    t.throws(
      () => parse({ [name]: value }),
      { name: 'ConfigError', message: `invalid ${name} "${value}": expected ` },
      value,
    );
  }
  t.throws(() => parse({ REDIS_URL: 'http://u:secret@h' }), {
    message: /^invalid REDIS_URL: expected a redis: or rediss: URL$/,
  });
  t.end();
});

t.test('an error names the allowed values, and never a secret', (t) => {
  t.throws(() => parse({ PORT: 'http' }), { message: 'invalid PORT "http": expected 0-65535' });
  t.throws(() => parse({ DNS_WORKER_SECRET: 'short' }), {
    message: 'invalid DNS_WORKER_SECRET: expected 16 characters or more',
  });
  t.end();
});

t.test('REDIS_URLS names servers of one cluster, and excludes REDIS_URL', (t) => {
  const redis = (variables: Readonly<Record<string, string>>) => parseRedis((name) => variables[name]);
  t.same(redis({}), {});
  t.same(redis({ REDIS_URL: 'redis://a' }), { redisUrl: 'redis://a' });
  const urls = ['rediss://u:p@a:7001', 'rediss://u:p@b:7002/'];
  t.same(redis({ REDIS_URLS: urls.join(', ') }), { redisUrls: urls });
  const expected = 'redis: or rediss: URLs with one user and password, comma-separated';
  for (const bad of [
    'redis://a, http://b',
    'redis://a,',
    'redis://a,rediss://b',
    'redis://u:secret@a,redis://b',
    'redis://a/1',
  ])
    for (const read of [redis, parse])
      t.throws(() => read({ REDIS_URLS: bad }), { message: `invalid REDIS_URLS: expected ${expected}` }, bad);
  t.throws(() => parse({ REDIS_URL: 'redis://a', REDIS_URLS: 'redis://a' }), {
    message:
      'REDIS_URL and REDIS_URLS are both set: expected REDIS_URL for one server, or REDIS_URLS for a cluster',
  });
  t.end();
});

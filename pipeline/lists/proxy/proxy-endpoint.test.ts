import t from 'tap';
import { endpointHost, withoutUser } from './proxy-endpoint.js';

t.test('the host is found in every format of lists', (t) => {
  t.equal(endpointHost('82.26.208.73:5380'), '82.26.208.73');
  t.equal(endpointHost('socks5://82.26.208.73:5380'), '82.26.208.73');
  t.equal(endpointHost('user:pass@82.26.208.73:5380'), '82.26.208.73');
  t.equal(endpointHost('http://us@er:p:a/ss@82.26.208.73:5380/'), '82.26.208.73');
  t.equal(endpointHost('[2001:db8::1]:8080'), '2001:db8::1');
  t.equal(endpointHost('http://a:b@[2001:db8::1]:8080'), '2001:db8::1');
  t.equal(endpointHost('proxy.example.net:65535'), 'proxy.example.net');
  t.end();
});

t.test('an endpoint without a port has no host', (t) => {
  for (const text of [
    '',
    ':',
    '82.26.208.73',
    '82.26.208.73:',
    '82.26.208.73:0',
    '82.26.208.73:65536',
    '82.26.208.73:123456',
    '82.26.208.73:8o',
    '82.26.208.73:-1',
    ':8080',
    'http://:8080',
    '2001:db8::1:8080',
    '[2001:db8::1]',
    '[2001:db8::18080',
    '82.26.208.73:80:user:pass',
  ]) {
    t.equal(endpointHost(text), undefined, text);
  }
  t.end();
});

t.test('user name and password are removed', (t) => {
  t.equal(withoutUser('user:pa@ss@82.26.208.73:5380'), '82.26.208.73:5380');
  t.equal(withoutUser('82.26.208.73:5380'), '82.26.208.73:5380');
  t.end();
});

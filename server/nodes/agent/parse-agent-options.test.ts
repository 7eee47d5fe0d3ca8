import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { newNodeToken } from '../node-token.js';
import { parseAgentOptions, type AgentFlags } from './parse-agent-options.js';

const token = newNodeToken();
const read = (name: string): string | undefined =>
  ({ PROBE_TOKEN: token, PROBE_SERVER: 'wss://one.example.com, wss://two.example.com' })[name];

t.test('servers and token come from the environment, or the token from a file', (t) => {
  const options = parseAgentOptions({}, read);
  t.same(options.servers.map(String), ['wss://one.example.com/', 'wss://two.example.com/']);
  t.match(options, { token, jobs: 20 });
  const other = newNodeToken();
  const path = join(t.testdir(), 'token');
  writeFileSync(path, `${other}\n`);
  const flags = { tokenFile: path, server: 'ws://127.0.0.1:1', selfTest: '[2001:db8::1]:443', jobs: '3' };
  t.match(parseAgentOptions(flags, read), {
    token: other,
    jobs: 3,
    selfTest: { host: '2001:db8::1', port: 443 },
  });
  t.match(parseAgentOptions({ server: 'ws://example.com', plain: true }, read), { token });
  t.end();
});

t.test('the self-test may be of any port', (t) => {
  for (const port of [1, 65_535]) {
    const { selfTest } = parseAgentOptions({ selfTest: `example.com:${port}` }, read);
    t.same(selfTest, { host: 'example.com', port });
  }
  t.end();
});

t.test('an unencrypted server is accepted on any loopback host', (t) => {
  for (const host of ['localhost', '[::1]', '127.0.0.1', '127.255.0.9']) {
    const server = `ws://${host}:8080`;
    t.same(parseAgentOptions({ server }, read).servers.map(String), [`${server}/`]);
  }
  for (const host of ['[::2]', '[::]', '0.0.0.0', '128.0.0.1', 'localhost.example.com', '127.example.com']) {
    t.throws(
      () => parseAgentOptions({ server: `ws://${host}:8080` }, read),
      { message: /unencrypted/ },
      host,
    );
  }
  t.end();
});

t.test('invalid options are rejected with their reason', (t) => {
  const bad: readonly (readonly [AgentFlags, RegExp])[] = [
    [{ server: '' }, /missing server/],
    [{ server: 'https://example.com' }, /expected wss:/],
    [{ server: 'nonsense' }, /expected wss:/],
    [{ server: 'ws://example.com' }, /unencrypted/],
    [{ server: 'ws://127.0.0.1.example.com' }, /unencrypted/],
    [{ token: 'nonsense' }, /invalid token/],
    [{ token: '' }, /missing token/],
    [{ tokenFile: '/does/not/exist' }, /cannot read the token/],
    [{ jobs: '0' }, /expected 1-999/],
    [{ selfTest: 'example.com' }, /expected host:port/],
    [{ selfTest: 'example.com:65536' }, /expected host:port/],
    [{ selfTest: 'example.com:0' }, /expected host:port/],
  ];
  for (const [flags, message] of bad) t.throws(() => parseAgentOptions(flags, read), { message });
  t.end();
});

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { measuredTask } from '../../testing/measured-process.js';
import type { Attack, Spoils } from './attacker-task.bench.js';

/** Runs one attack in its own process and reports what it saw. */
const attack = await measuredTask<Attack>();
const { copies = 1, limitMs, returns = false, waits = false } = attack;
const { hostname, port } = new URL(attack.url);
const openings = [attack.opening ?? ''].flat().map((text) => Buffer.from(text, 'latin1'));
let sent = 0;
const whole = waits ? undefined : Buffer.concat(Array.from({ length: copies }, next));
const drip = attack.drip && { ...attack.drip, bytes: Buffer.from(attack.drip.text, 'latin1') };
const start = performance.now();
const statuses: Record<string, number> = {};
let opened = 0;
let failed = 0;
let ended = 0;
let answers = 0;
let running = 0;
let isOver = false;

const STATUS_LINE = /HTTP\/1\.1 (\d{3})/g;
const LENGTH_OF_STATUS = 'HTTP/1.1 200'.length;

/** Connections opened at a time: more would fill the server's queue of connections, which is another attack. */
const AT_ONCE = 200;

for (let i = 0; i < attack.connections && !isLate(); i++) {
  open(i);
  if (i % AT_ONCE === AT_ONCE - 1) await sleep(20);
}
while (!isLate() && (running > 0 || returns)) await sleep(50);
isOver = true;
const spoils: Spoils = {
  opened,
  failed,
  ended,
  answers,
  statuses,
  seconds: (performance.now() - start) / 1000,
};
process.send!(spoils, () => process.exit(0));

function isLate(): boolean {
  return performance.now() - start > limitMs;
}

function open(index: number): void {
  running++;
  const socket = connect({ host: hostname, port: Number(port), localAddress: sourceOf(index) });
  let isOpen = false;
  let left = copies;
  socket.once('connect', () => {
    isOpen = true;
    opened++;
    send(socket, whole ?? next());
    if (attack.reads === false) socket.pause();
  });
  if (attack.reads === false) socket.pause();
  else {
    count(socket, () => {
      left--;
      if (left === 0) socket.destroy();
      else if (waits) send(socket, next());
    });
  }
  const dripping = drip && setInterval(() => socket.write(drip.bytes), drip.everyMs);
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clearInterval(dripping);
    running--;
    if (!isOpen) failed++;
    else if (left > 0) ended++;
    if (returns && !isOver) setTimeout(open, isOpen ? 0 : 20, index);
  });
}

/** Returns the next of the openings. */
function next(): Buffer {
  return openings[sent++ % openings.length]!;
}

function send(socket: Socket, bytes: Buffer): void {
  if (bytes.length > 0) socket.write(bytes);
}

/** Calls `answered` for each status line. */
function count(socket: Socket, answered: () => void): void {
  let tail = '';
  socket.on('data', (chunk) => {
    const text = tail + chunk.toString('latin1');
    for (const [, status = ''] of text.matchAll(STATUS_LINE)) {
      answers++;
      statuses[status] = (statuses[status] ?? 0) + 1;
      answered();
    }
    // The beginning of a status line, which is shorter than a whole one.
    tail = text.slice(-LENGTH_OF_STATUS + 1);
  });
}

function sourceOf(index: number): string {
  const { source, net = 66 } = attack;
  if (typeof source === 'string') return source;
  const host = 1 + (index % source);
  return `127.${net}.${host >> 8}.${host & 255}`;
}

import t from 'tap';
import { rebuildFile } from './apply-delta.js';
import { ChangesError } from './changes-error.js';
import { decodeDelta, encodeDelta, STREAMS, type StreamName } from './delta-file.js';
import { makeDelta } from './make-delta.js';
import {
  changedNetworks,
  digested,
  fileOf,
  RANDOM_SCHEMA,
  randomNetworks,
  randomNumbers,
} from './testing/random-files.js';

t.test('damage inside the compressed streams is found, whatever stream it is in', (t) => {
  const random = randomNumbers(3);
  const networks = randomNetworks(random, 60, 6);
  const [old, now] = [fileOf(networks, 6, 1), fileOf(changedNetworks(random, networks, 6), 6, 2)];
  const whole = makeDelta({ dataset: 'geo', schema: RANDOM_SCHEMA, old: digested(old), new: digested(now) });
  const { header, streams } = decodeDelta(whole);
  const found = new Map<string, number>();
  const tryDamage = (name: StreamName, bytes: Buffer): void => {
    const damaged = Object.fromEntries(
      STREAMS.map((one) => [one, one === name ? bytes : streams[one].bytes]),
    );
    try {
      const rebuilt = rebuildFile(old, encodeDelta(header, damaged as Record<StreamName, Buffer>));
      if (!rebuilt.equals(now)) t.fail(`damage in ${name} gives another file`);
    } catch (error) {
      if (!(error instanceof ChangesError)) throw error;
      found.set(`${name} ${error.fault}`, (found.get(`${name} ${error.fault}`) ?? 0) + 1);
      return;
    }
    // Two encodings of one value may exist, but a changed stream mostly changes the file.
    found.set(`${name} none`, (found.get(`${name} none`) ?? 0) + 1);
  };
  for (const name of STREAMS) {
    const { bytes } = streams[name];
    if (bytes.length === 0) continue;
    tryDamage(name, bytes.subarray(1));
    tryDamage(name, Buffer.concat([bytes, Buffer.of(1)]));
    for (let i = 0; i < 25; i++) {
      const changed = Buffer.from(bytes);
      changed[random(bytes.length)]! ^= 1 + random(255);
      tryDamage(name, changed);
    }
  }
  for (const name of STREAMS) {
    if (streams[name].bytes.length === 0) continue;
    const refused = [...found].filter(([key]) => key.startsWith(name) && !key.endsWith('none'));
    t.ok(
      refused.some(([, count]) => count > 0),
      `${name}: ${refused.join(', ')}`,
    );
  }
  t.end();
});

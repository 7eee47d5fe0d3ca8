import { randomBytes } from 'node:crypto';
import { OUT_OF_MEMORY, type Admissions, type Answered } from './admission-batch.js';
import type { Calendar } from '../calendar.js';
import { KnownRefusals } from './known-refusals.js';
import type { LocalMeter } from './local-meter.js';
import type { RedisMemory } from '../redis-memory.js';
import type { Subject } from '../subject.js';
import { admissionOf, minuteOf } from './admission-reply.js';
import type { Admission, Hold, Meter, Price } from './meter.js';
import { chargeKeys, holdKeys, minuteKeys, prefixOf, priceKeys } from '../redis-keys.js';
import { HOLD_MS, type HeldPrice, type Settlements } from './settlements.js';

/** The parts of a RedisMeter. */
export interface MeterParts {
  readonly batch: Admissions;
  readonly settlements: Settlements;
  /** Counts while Redis is unavailable, and callers without a key while its memory is tight. */
  readonly local: LocalMeter;
  readonly memory: RedisMemory;
  readonly calendar: Calendar;
  /** How long a hold may stay open. Set by tests. */
  readonly holdMs?: number;
}

/** An operation of ADMISSION_SCRIPT. */
interface Operation {
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** Operations that are kept: those of the callers of some seconds. */
const MOST_OPERATIONS = 4096;

/** The meters in Redis. */
export class RedisMeter implements Meter {
  readonly #parts: MeterParts;
  readonly #holdMs: string;
  /** The id of this process. Hold ids are this id and a counter. */
  readonly #self = randomBytes(8).toString('hex');
  #holds = 0;
  /** Holds that are not settled, or with their settlement not yet sent. */
  readonly #open = new Set<Hold>();
  readonly #refusals = new KnownRefusals();
  /** Operations without an id of their own, by what they depend on. Equal ones of a batch are sent once. */
  readonly #operations = new Map<string, Operation>();

  constructor(parts: MeterParts) {
    this.#parts = parts;
    this.#holdMs = String(parts.holdMs ?? HOLD_MS);
  }

  knownRefusal(subject: Subject): Admission | undefined {
    return this.#refusals.of(subject);
  }

  peek(subject: Subject): Promise<Admission> {
    const { local } = this.#parts;
    return new Promise((resolve) => {
      const args = subject.wider === undefined ? ['p'] : ['P', String(subject.requestsPerMinute)];
      this.#run(subject, { keys: minuteKeys(subject), args }, (reply) => {
        resolve(reply === undefined ? local.peek(subject) : admissionOf(subject, reply));
      });
    });
  }

  count(subject: Subject): Promise<Admission> {
    const { local } = this.#parts;
    return new Promise((resolve) => {
      this.#run(subject, this.#counting(subject), (reply) => {
        resolve(reply === undefined ? local.count(subject) : this.#counted(subject, reply));
      });
    });
  }

  charge(subject: Subject, price: Price): Promise<Admission> {
    return this.#charge('c', subject, price);
  }

  chargeCounted(subject: Subject, price: Price): Promise<Admission> {
    return this.#charge('u', subject, price);
  }

  reserve(subject: Subject, price: Price): Promise<Admission & { readonly hold?: Hold }> {
    return this.#reserve('r', subject, price);
  }

  reserveCounted(subject: Subject, price: Price): Promise<Admission & { readonly hold?: Hold }> {
    return this.#reserve('t', subject, price);
  }

  /** Refunds all open holds, when the server stops. Waits for pending settlements. */
  async refundOpenHolds(): Promise<void> {
    await Promise.all([...this.#open].map((hold) => hold.settle(false)));
  }

  #charge(letter: 'c' | 'u', subject: Subject, price: Price): Promise<Admission> {
    return new Promise((resolve) => {
      this.#run(subject, this.#charging(letter, subject, price), (reply) => {
        resolve(reply === undefined ? this.#takeLocally(letter, subject) : this.#counted(subject, reply));
      });
    });
  }

  #counting(subject: Subject): Operation {
    const { id, bucket, requestsPerMinute } = subject;
    return this.#operation(`n ${bucket} ${id} ${requestsPerMinute}`, () => ({
      keys: minuteKeys(subject),
      args: [letterFor('n', subject), String(requestsPerMinute)],
    }));
  }

  #charging(letter: 'c' | 'u', subject: Subject, price: Price): Operation {
    const moment = this.#parts.calendar.today();
    const { id, bucket, requestsPerMinute, requestsPerDay, creditsPerMonth } = subject;
    const limits = `${requestsPerMinute} ${requestsPerDay ?? ''} ${creditsPerMonth ?? ''}`;
    const text = `${letter} ${bucket} ${id} ${limits} ${price.credits} ${moment.day}`;
    return this.#operation(text, () => ({
      keys: chargeKeys(subject, moment),
      args: priced(letter, subject, price, moment.day),
    }));
  }

  /** Returns the operation of a text, which names all that it depends on. */
  #operation(text: string, build: () => Operation): Operation {
    let operation = this.#operations.get(text);
    if (operation === undefined) {
      if (this.#operations.size >= MOST_OPERATIONS) this.#operations.clear();
      this.#operations.set(text, (operation = build()));
    }
    return operation;
  }

  /**
   * Runs an operation in Redis, except while its memory is tight and the subject has no key. An operation of an account
   * is run again once there is room.
   */
  #run(subject: Subject, operation: Operation, answered: Answered): void {
    const { batch, memory } = this.#parts;
    const hasKey = subject.creditsPerMonth !== undefined;
    if (memory.isTight && !hasKey) {
      answered(undefined);
      return;
    }
    batch.add(operation.keys, operation.args, (reply) => {
      if (reply !== OUT_OF_MEMORY) {
        answered(reply);
        return;
      }
      const room = memory.makeRoom();
      if (hasKey) void this.#runAfter(room, operation, answered);
      else answered(undefined);
    });
  }

  async #runAfter(room: Promise<void>, { keys, args }: Operation, answered: Answered): Promise<void> {
    await room;
    this.#parts.batch.add(keys, args, (reply) => {
      answered(reply === OUT_OF_MEMORY ? undefined : reply);
    });
  }

  #reserve(letter: 'r' | 't', subject: Subject, price: Price): Promise<Admission & { readonly hold?: Hold }> {
    const { calendar } = this.#parts;
    const moment = calendar.today();
    const { day } = moment;
    const shard = prefixOf(subject);
    const id = `${this.#self}:${this.#holds++}`;
    const keys = priceKeys(subject, moment);
    const isWide = subject.wider !== undefined;
    const held: HeldPrice = { id, shard, keys, credits: price.credits, day, ...(isWide && { isWide }) };
    const args = [...priced(letter, subject, price, day), id, JSON.stringify(held), this.#holdMs];
    return new Promise((resolve) => {
      this.#run(subject, { keys: [...minuteKeys(subject), ...keys, ...holdKeys(shard)], args }, (reply) => {
        resolve(
          reply === undefined ? this.#reserveLocally(letter, subject) : this.#reserved(subject, reply, held),
        );
      });
    });
  }

  /** Converts a reply. Passes its count to the local meter if that would serve the subject without Redis. */
  #counted(subject: Subject, reply: number): Admission {
    if (subject.creditsPerMonth === undefined) this.#parts.local.learn(subject, minuteOf(reply));
    const counted = admissionOf(subject, reply);
    if (counted.refused !== undefined) this.#refusals.learn(subject, counted, minuteOf(reply).msLeft);
    return counted;
  }

  #reserved(subject: Subject, reply: number, held: HeldPrice): Admission & { readonly hold?: Hold } {
    const admitted = this.#counted(subject, reply);
    return admitted.refused ? admitted : { ...admitted, hold: this.#holdOf(held) };
  }

  #reserveLocally(letter: 'r' | 't', subject: Subject): Admission & { readonly hold?: Hold } {
    const admitted = this.#takeLocally(letter, subject);
    return admitted.refused ? admitted : { ...admitted, hold: this.#parts.local.hold(subject) };
  }

  #takeLocally(letter: 'c' | 'r' | 'u' | 't', subject: Subject): Admission {
    const { local } = this.#parts;
    return letter === 'c' || letter === 'r' ? local.take(subject) : local.takeCounted(subject);
  }

  #holdOf(held: HeldPrice): Hold {
    let settled: Promise<void> | undefined;
    const hold: Hold = { settle: (succeeded) => (settled ??= this.#settle(hold, held, succeeded)) };
    this.#open.add(hold);
    return hold;
  }

  async #settle(hold: Hold, held: HeldPrice, succeeded: boolean): Promise<void> {
    await this.#parts.settlements.settle(held, succeeded);
    this.#open.delete(hold);
  }
}

/** Returns the arguments of a priced operation for ADMISSION_SCRIPT. */
function priced(letter: 'c' | 'u' | 'r' | 't', subject: Subject, { credits }: Price, day: string): string[] {
  const { requestsPerMinute, requestsPerDay = 0, creditsPerMonth = -1 } = subject;
  const limits = [`${requestsPerMinute}`, `${requestsPerDay}`, `${creditsPerMonth}`];
  return [letterFor(letter, subject), ...limits, `${credits}`, day];
}

/** Returns the letter of an operation: a capital one for an IPv6 source. */
function letterFor(letter: string, { wider }: Subject): string {
  return wider === undefined ? letter : letter.toUpperCase();
}

/** The slots of keys, as ioredis computes them. */
declare module 'cluster-key-slot' {
  /** Returns the slot of a key, 0..16383: that of its hash tag if it has one. */
  function keySlot(key: string): number;
  export = keySlot;
}

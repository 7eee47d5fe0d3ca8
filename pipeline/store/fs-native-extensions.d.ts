/** The functions of fs-native-extensions that are used here; the package ships no types. */
declare module 'fs-native-extensions' {
  /**
   * Locks a whole open file, or changes the type of its lock. The lock is exclusive by default. Returns false if
   * another open file has a conflicting lock.
   */
  export function tryLock(fd: number, options?: { readonly shared?: boolean }): boolean;

  /** Locks a whole open file exclusively, after all locks that conflict have ended. */
  export function waitForLock(fd: number): Promise<void>;
}

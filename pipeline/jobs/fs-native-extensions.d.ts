/** The one function of fs-native-extensions that is used here; the package ships no types. */
declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on a whole open file, or answers false when another open file holds it. */
  export function tryLock(fd: number): boolean;
}

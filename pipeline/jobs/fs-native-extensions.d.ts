/** The functions of fs-native-extensions that are used here; the package ships no types. */
declare module 'fs-native-extensions' {
  /**
   * Takes a lock on a whole open file, exclusive unless told otherwise, or changes the one this open file has; false
   * when another open file holds one that does not go with it.
   */
  export function tryLock(fd: number, options?: { readonly shared?: boolean }): boolean;
}

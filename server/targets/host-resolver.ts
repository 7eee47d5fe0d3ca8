/** Finds the address of a host name: the first A, else the first AAAA (ruling 18). */
export interface HostResolver {
  /**
   * `name` is a valid ASCII host name, lower case, no trailing dot. Absent when it has no address. Throws Failure(502)
   * when no server answers. Never getaddrinfo: it takes numbers for names.
   */
  resolve(name: string): Promise<string | undefined>;
}

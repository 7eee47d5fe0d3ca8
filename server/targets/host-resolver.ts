/** Resolves host names to one address: the first A, otherwise the first AAAA (decision 18). */
export interface HostResolver {
  /**
   * Returns an address; undefined when the name has none. `name` must be a valid ASCII host name in lower case without
   * a trailing dot. Throws Failure(502) when no name server answers. Does not use getaddrinfo, which accepts numbers.
   */
  resolve(name: string): Promise<string | undefined>;
}

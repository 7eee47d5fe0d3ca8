/** Maps a status in camel case to its EPP code. RDAP and some servers name two of them differently (RFC 8056 §2). */
export function eppStatusOf(status: string): string {
  return RENAMED.get(status) ?? status;
}

const RENAMED: ReadonlyMap<string, string> = new Map([
  ['active', 'ok'],
  ['associated', 'linked'],
]);

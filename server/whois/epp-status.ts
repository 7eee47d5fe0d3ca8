/** The code of EPP for a status in camel case: RDAP and registries have other words for two of them (RFC 8056 §2). */
export function eppStatusOf(status: string): string {
  return RENAMED.get(status) ?? status;
}

const RENAMED: ReadonlyMap<string, string> = new Map([
  ['active', 'ok'],
  ['associated', 'linked'],
]);

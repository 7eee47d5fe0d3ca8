/** Reads an environment variable; absent when it is not set or empty. */
export type ReadVariable = (name: string) => string | undefined;

/** The values of a download's variables, by name. */
export type Secrets = ReadonlyMap<string, string>;

/** Shorter prefixes of a secret in a text are ignored. */
const TELLING_CHARACTERS = 6;

/**
 * Replaces secrets in a text, plain or URL-encoded, by their variables' names in braces. Prefixes of six characters and
 * more are replaced too, because excerpts are cut.
 */
export function withoutSecrets(text: string, secrets: Iterable<readonly [string, string]>): string {
  let clean = text;
  for (const [name, secret] of secrets) {
    for (const written of new Set([secret, encodeURIComponent(secret)])) {
      for (let length = written.length; length >= Math.min(TELLING_CHARACTERS, written.length); length--) {
        clean = clean.replaceAll(written.slice(0, length), `{${name}}`);
      }
    }
  }
  return clean;
}

/**
 * Returns the parts of a URL's query that may be secrets without a variable: the whole query, and each value that is
 * too long to occur by chance.
 */
export function queryParts(url: string): [string, string][] {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  const parts = [query, ...new URLSearchParams(query).values()];
  return parts
    .filter((part) => part.length >= TELLING_CHARACTERS && !part.includes('{'))
    .map((part) => ['query', part]);
}

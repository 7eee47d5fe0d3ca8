/** Reads an environment variable; absent when it is not set or empty. */
export type ReadVariable = (name: string) => string | undefined;

/** The values that a download's placeholders and authentication stand for. */
export type Secrets = ReadonlyMap<string, string>;

/** A shorter beginning of a secret in a text is taken for chance. */
const TELLING_CHARACTERS = 6;

/**
 * A text without the secrets: each is replaced by its variable's name in braces, as it is and as URLs write it. A
 * beginning of six characters counts too, because excerpts are cut.
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
 * Parts of a URL's query that may be secrets though no variable stands for them, as in a list of URLs: all of it, and
 * each value that is too long to turn up by chance.
 */
export function queryParts(url: string): [string, string][] {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  const parts = [query, ...new URLSearchParams(query).values()];
  return parts
    .filter((part) => part.length >= TELLING_CHARACTERS && !part.includes('{'))
    .map((part) => ['query', part]);
}

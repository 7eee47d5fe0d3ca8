/** Returns whether a text only states that the name is redacted. The record's field is then `''` (decision 27). */
export function isRedacted(text: string): boolean {
  return REDACTED.test(text) || /^(?:-+|n\/?a|none)$/i.test(text);
}

const REDACTED = new RegExp(
  [
    'redacted|not (?:been )?disclosed|non-disclosed|undisclosed|not shown|data protected|non-public data',
    'gdpr|(?:data|statutory) masking|\\bmasked\\b|withheld due to|^private person$|^hidden (?:upon|by|due|at)\\b',
  ].join('|'),
  'i',
);

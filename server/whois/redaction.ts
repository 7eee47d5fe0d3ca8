/** Whether a registry's text for a name only says that the name is kept back; `''` stands for it then (ruling 27). */
export function saysRedacted(text: string): boolean {
  return KEPT_BACK.test(text) || /^(?:-+|n\/?a|none)$/i.test(text);
}

const KEPT_BACK = new RegExp(
  [
    'redacted|not (?:been )?disclosed|non-disclosed|undisclosed|not shown|data protected|non-public data',
    'gdpr|(?:data|statutory) masking|\\bmasked\\b|withheld due to|^private person$|^hidden (?:upon|by|due|at)\\b',
  ].join('|'),
  'i',
);

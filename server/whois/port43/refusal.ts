/** What a reply without a record means. Undefined if it is unknown. */
export type Refusal = 'absent' | 'rate-limited' | undefined;

/**
 * Reads a reply without a record. It is `absent` if a line starts with a phrase for absence, after comment marks and
 * the queried name. Phrases for rate limits are checked first, so that they are never read as absence.
 */
export function refusalIn(text: string, asked: string): Refusal {
  const lines = text.split('\n', MAX_LINES).map((line) => line.slice(0, MAX_LINE));
  if (lines.some((line) => RATE_LIMITED.test(line))) return 'rate-limited';
  return lines.some((line) => isAbsentPhrase(line, asked)) ? 'absent' : undefined;
}

const MAX_LINES = 1000;
const MAX_LINE = 300;

const RATE_LIMITED = new RegExp(
  [
    'quota (?:has been )?exceeded|quota for .{1,60} has been exceeded',
    '(?:limit|rate|queries|number of requests|maximum allowable) (?:has been )?exceeded',
    'exceeded (?:the |your |our )?(?:query|request|maximum|allowed|rate|daily|whois)',
    'too many (?:requests|queries|connections|simultaneous)',
    'error:20[0-9]:|error: 55000000002|access denied|temporarily denied|excessive quer',
    'try again (?:later|after|in )|(?:banned|blacklisted|blocked) (?:for|due|because|from)',
  ].join('|'),
  'i',
);

/** Comment marks and error numbers: `%ERROR:101: no entries found`. */
const MARKS = /^[\s%#*>!.-]*(?:error:(?:\d{1,5}:)? ?)?/i;

/** Beginnings of replies for objects that are not registered, in the servers' own words, lower case. */
// prettier-ignore
const ABSENT = [
  'no match', 'not found', 'no data found', 'no entries found', 'no entry found', 'no found',
  'no matching', 'no object found', 'no such domain', 'no records matching', 'no information available',
  'no information about', 'nothing found', 'not registered', 'object does not exist', 'object_not_found',
  'object not found', 'status: free', 'status: available', 'status: not registered', 'state: free',
  'domain not found', 'domain name not found', 'domain unknown', 'domain has not been registered',
  'the domain has not been registered', 'this domain name has not been registered', 'domain is available',
  'domain is not registered', 'domain status: available', 'domain status: no object found',
  'the queried object does not exist', 'the requested domain was not found', 'the domain name is not',
  'we do not have an entry in our database matching', 'available for registration', 'is available',
  'is free', 'does not exist', 'is not registered', 'has not been registered', 'was not found',
  'unallocated', 'no_se_encontro', 'no se encontro', 'nobody is known',
];

function isAbsentPhrase(line: string, asked: string): boolean {
  const said = line
    .replace(MARKS, '')
    .toLowerCase()
    .replace(/\.{2,}/g, '')
    .replace(/\s+/g, ' ');
  return startsWithAny(said) || startsWithAny(withoutName(said, asked));
}

function startsWithAny(text: string): boolean {
  return ABSENT.some((words) => text.startsWith(words));
}

/** Removes the queried name: `domain "example.se" not found`, `example.nl is free`, `example.cl: no entries found`. */
function withoutName(said: string, asked: string): string {
  const start = said.indexOf(asked);
  const before = start < 0 ? said : said.slice(0, start).replace(/["'[\s]+$/, '');
  if (start < 0 || !['', 'domain', 'domain name', 'the domain', 'the domain name'].includes(before))
    return '';
  return said.slice(start + asked.length).replace(/^["'\]\s:.,-]+/, '');
}

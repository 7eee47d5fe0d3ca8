import type { ClientResult, Reply } from './run-clients.js';

const BEGIN = '<!-- clients: written by make clients -->';
const END = '<!-- /clients -->';

/** Formats results as a table in Markdown: a row for each client and what it was asked. */
export function clientTable(results: readonly ClientResult[]): string {
  const rows = results.flatMap(({ name, version, replies }) => {
    if (version === undefined) return [[name, '', '', '', 'not installed']];
    return [...groupBy(replies, ({ asked }) => asked)].map(([asked, group], i) => {
      return [...(i === 0 ? [name, version] : ['', '']), asked, rightTypes(group), problems(group)];
    });
  });
  const head = ['client', 'version', 'asked for', 'answers as our reader does', 'does not'];
  return [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map(escaped).join(' | ')} |`)
    .join('\n');
}

function rightTypes(replies: readonly Reply[]): string {
  const wrong = new Set(replies.filter(({ problem }) => problem !== undefined).map(({ type }) => type));
  const types = [...new Set(replies.map(({ type }) => type))].filter((type) => !wrong.has(type));
  return types.length === ALL_TYPES && wrong.size === 0 ? 'all types' : types.join(', ');
}

/** The database types of the files and their editions. */
const ALL_TYPES = 10;

/** The reasons, each once, with the types that have it. */
function problems(replies: readonly Reply[]): string {
  const withProblem = replies.filter(({ problem }) => problem !== undefined);
  const byReason = groupBy(withProblem, ({ type, problem }) => problem!.replaceAll(type, '…'));
  return [...byReason]
    .map(([reason, group]) => `${[...new Set(group.map(({ type }) => type))].join(', ')}: ${reason}`)
    .join('; ');
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

/** Returns a guide with another text between the markers of the table. Throws when it lacks a marker. */
export function replaceTable(guide: string, text: string): string {
  const [begin, end] = [guide.indexOf(BEGIN), guide.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the guide lacks "${BEGIN}" before "${END}"`);
  return `${guide.slice(0, begin)}${BEGIN}\n\n${text}\n\n${guide.slice(end)}`;
}

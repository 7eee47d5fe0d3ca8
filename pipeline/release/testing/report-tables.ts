/** Returns the cells of every table of a report, by caption: texts with single spaces. */
export function tablesOf(page: string): Record<string, string[][]> {
  const textOf = (markup: string): string =>
    markup
      .replace(/<[^>]*>/g, ' ')
      .replace(/&gt;/g, '>')
      .replace(/\s+/g, ' ')
      .trim();
  const tables = [...page.matchAll(/<caption>([^<]*)<\/caption>(.*?)<\/table>/gs)];
  return Object.fromEntries(
    tables.map(([, caption, body]) => {
      const rows = [...body!.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
        [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => textOf(cell!)),
      );
      return [textOf(caption!), rows];
    }),
  );
}

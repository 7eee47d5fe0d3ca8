/**
 * Parses an RFC 3339 date and time into UTC with whole seconds: `2025-08-13T04:00:00Z`. A date alone means midnight,
 * and a missing zone means UTC. Returns `''` for anything else.
 */
export function utcDate(text: string): string {
  const parts = DATE_TIME.exec(text);
  if (!parts) return '';
  const [, year, month, day, time = '00:00:00', zone = 'Z'] = parts;
  const isDay = Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month));
  const date = new Date(
    `${year}-${month}-${day}T${time}${zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`,
  );
  return isDay && !Number.isNaN(date.getTime()) ? date.toISOString().replace(/\.\d{3}Z$/, 'Z') : '';
}

const DATE_TIME =
  /^([12]\d{3})-(0[1-9]|1[0-2])-(\d\d)(?:[Tt ](\d\d:\d\d:\d\d)(?:[.,]\d{1,9})?(Z|z|[+-]\d\d:?\d\d)?)?$/;

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

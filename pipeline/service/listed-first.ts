/** Orders texts: those in `first` as they stand there, all others behind them by name. */
export function compareListedFirst(first: readonly string[], a: string, b: string): number {
  return placeIn(first, a) - placeIn(first, b) || (a === b ? 0 : a < b ? -1 : 1);
}

function placeIn(first: readonly string[], text: string): number {
  const place = first.indexOf(text);
  return place < 0 ? first.length : place;
}

/**
 * Returns whether If-None-Match is `*` or lists this strong tag. The comparison is weak, so `W/"x"` matches `"x"` (RFC
 * 9110 §13.1.2).
 */
export function isTagListed(list: string, tag: string): boolean {
  return list.trim() === '*' || list.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

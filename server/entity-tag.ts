/** Room for fifteen tags of a dataset. */
const LONGEST_LIST = 1024;

/**
 * Returns whether If-None-Match is `*` or lists this strong tag. The comparison is weak, so `W/"x"` matches `"x"` (RFC
 * 9110 §13.1.2). A list of more than 1024 characters matches nothing (decision 72).
 */
export function isTagListed(list: string, tag: string): boolean {
  if (list.length > LONGEST_LIST) return false;
  return list.trim() === '*' || list.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

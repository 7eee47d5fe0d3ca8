/** Whether a file name matches a FeedFile's name, in which `*` stands for any run of characters but `/`. */
export function matchesName(pattern: string, name: string): boolean {
  const source = pattern
    .split('*')
    .map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]*');
  return new RegExp(`^${source}$`).test(name);
}

/** Whether a file name matches the name of a PublishedFile, where `*` matches any characters except `/`. */
export function matchesName(pattern: string, name: string): boolean {
  const source = pattern
    .split('*')
    .map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]*');
  return new RegExp(`^${source}$`).test(name);
}

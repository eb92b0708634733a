/** What follows the last slash of a path or a name. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The leading white space of a line. */
export function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}

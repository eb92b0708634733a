/** A word of a POSIX shell in which nothing is expanded. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

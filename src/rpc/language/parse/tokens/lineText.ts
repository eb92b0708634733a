/** A line, or the end of a text, without its line ends. */
export function lineText(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\n" || line[end - 1] === "\r") end--;
  return line.slice(0, end);
}

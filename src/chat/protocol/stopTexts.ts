// The texts that end an answer, as the settings show them: one a line. A line break in a text is written as \n.

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const escaped: Readonly<Record<string, string>> = { "\\": "\\", n: "\n", r: "\r", t: "\t" };

/** One text a line. Blanks at the ends of a text count. */
export function stopLines(stops: readonly string[]): string {
  return stops.map((stop) => stop.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? "")).join("\n");
}

/** The texts of lines; empty lines are none. A backslash before another character stays. */
export function stopsIn(lines: string): string[] {
  return lines
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => line.replace(/\\([\\nrt])/g, (_, character: string) => escaped[character] ?? ""));
}

/** Token ids, separated by commas or blanks; undefined if one of them is no whole number. */
export function tokenIdsIn(text: string): number[] | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  return words.every((word) => /^\d{1,9}$/.test(word)) ? words.map(Number) : undefined;
}

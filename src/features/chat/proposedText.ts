/**
 * A file's text with the code of an answer in it: in place of the selection where there is one; else of the part of the
 * file that begins and ends with the code's first and last lines; else of the whole file.
 */
export function proposedText(
  original: string,
  code: string,
  selection: { readonly start: number; readonly end: number } | undefined,
): string {
  const eol = original.includes("\r\n") ? "\r\n" : "\n";
  const fresh = code.replace(/\r\n?/g, "\n").replaceAll("\n", eol);
  if (selection && selection.start < selection.end) {
    const end = original.slice(selection.start, selection.end).endsWith("\n") ? eol : "";
    return original.slice(0, selection.start) + fresh + end + original.slice(selection.end);
  }
  const lines = original.split(eol);
  const place = placeOf(lines, fresh.split(eol));
  if (!place) return original.endsWith(eol) && original !== "" ? fresh + eol : fresh;
  return [...lines.slice(0, place.start), ...fresh.split(eol), ...lines.slice(place.end)].join(eol);
}

/** The lines, from `start` to before `end`, that the code is another wording of; undefined where that is not clear. */
function placeOf(
  lines: readonly string[],
  code: readonly string[],
): { readonly start: number; readonly end: number } | undefined {
  const first = code.findIndex(isTelling);
  const last = code.findLastIndex((line) => line.trim() !== "");
  if (first < 0 || first === last) return undefined;
  const starts = lines.flatMap((line, index) => (line.trim() === code[first]?.trim() ? [index] : []));
  const [start] = starts;
  if (start === undefined || starts.length > 1) return undefined;
  const indent = /^\s*/.exec(lines[start] ?? "")?.[0];
  const end = lines.findIndex(
    (line, index) => index > start && line.trim() === code[last]?.trim() && /^\s*/.exec(line)?.[0] === indent,
  );
  return end < 0 ? undefined : { start: start - first, end: end + 1 };
}

/** A line that stands in a file once, more likely than not. */
function isTelling(line: string): boolean {
  return /\w{3}/.test(line);
}

/** What would run, line by line, without the prompts that answers show before commands. */
export function commandOf(code: string): string {
  const lines = code.replace(/\r\n?/g, "\n").trim().split("\n");
  const prompted = lines.filter((line) => /^[$%] /.test(line));
  return (prompted.length > 0 ? prompted.map((line) => line.slice(2)) : lines).join("\n");
}

/** A line that opens or closes a fenced block of markdown. */
const fenceLine = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const closer = /^\s*([)\]}]|end\b|<\/)/;

/**
 * A model's answer as the replacement of `original`: without the fence around it, indented as the original is, with
 * the blank lines around it that the original has, and with the line ends of the document.
 */
export function cleanAnswer(answer: string, original: string, eol: "\n" | "\r\n"): string {
  const before = original.replace(/\r\n?/g, "\n");
  const bare = withoutFence(answer.replace(/\r\n?/g, "\n"), before);
  const body = bare.replace(/^([ \t]*\n)+/, "").trimEnd();
  if (body.trim() === "") return "";
  const [lead = ""] = /^([ \t]*\n)*/.exec(before) ?? [];
  const [tail = ""] = /\s*$/.exec(before) ?? [];
  const cleaned = lead + reindent(body, before.slice(lead.length)) + (before.trim() === "" ? "" : tail);
  return cleaned.replaceAll("\n", eol);
}

/** The block inside the outer fence; the text as it is where the fence is part of what was asked for. */
export function withoutFence(answer: string, original: string): string {
  const lines = answer.split("\n");
  const own = fenceOf(original.split("\n").find((line) => line.trim() !== "") ?? "");
  const first = lines.findIndex((line) => line.trim() !== "");
  const opening = fenceOf(lines[first] ?? "");
  if (opening && (!own || opening.length > own.length)) {
    return lines.slice(first + 1, closingOf(lines, first + 1, opening)).join("\n");
  }
  return opening || original.split("\n").some((line) => fenceOf(line)) ? answer : onlyBlock(lines);
}

/** A model that talks around the code puts the code into a fence; more than one block is left to be looked at. */
function onlyBlock(lines: readonly string[]): string {
  const start = lines.findIndex((line) => fenceOf(line));
  const fence = fenceOf(lines[start] ?? "");
  if (!fence) return lines.join("\n");
  const end = lines.findIndex((line, index) => index > start && closes(line, fence));
  if (end < 0) return lines.slice(start + 1).join("\n");
  return lines.slice(end + 1).some((line) => fenceOf(line))
    ? lines.join("\n")
    : lines.slice(start + 1, end).join("\n");
}

/** The last line where it closes the block; else the first that does; else the end, while the answer still comes. */
function closingOf(lines: readonly string[], from: number, fence: string): number {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  if (last >= from && closes(lines[last] ?? "", fence)) return last;
  const first = lines.findIndex((line, index) => index >= from && closes(line, fence));
  return first < 0 ? lines.length : first;
}

function fenceOf(line: string): string | undefined {
  return fenceLine.exec(line)?.[1];
}

function closes(line: string, fence: string): boolean {
  const [, run = "", info = ""] = fenceLine.exec(line) ?? [];
  return run.length >= fence.length && run[0] === fence[0] && info.trim() === "";
}

/** Gives back the indentation that a model took away: from all lines, or from the first alone. */
function reindent(body: string, original: string): string {
  const isBlank = original.trim() === "";
  const wanted = isBlank ? /[ \t]*$/.exec(original)?.[0] : indentOf(original.split("\n").slice(0, 1));
  if (!wanted) return body;
  const [first = "", ...rest] = body.split("\n");
  if (indentOf([first]) !== "") return body;
  const lost = isFirstAlone(rest, original, wanted) ? rest : rest.map((line) => line && wanted + line);
  return [wanted + first, ...lost].join("\n");
}

/** Whether the lines after the first still stand where those of the original did. */
function isFirstAlone(rest: readonly string[], original: string, wanted: string): boolean {
  const found = indentOf(rest);
  if (found === undefined) return true;
  const before = indentOf(original.split("\n").slice(1));
  if (before !== undefined) return found.length >= before.length;
  const last = rest.findLast((line) => line.trim() !== "") ?? "";
  return found.length > wanted.length || (found === wanted && closer.test(last));
}

/** The shortest indentation of the lines that hold something; undefined where none does. */
function indentOf(lines: readonly string[]): string | undefined {
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => /^[ \t]*/.exec(line)?.[0] ?? "")
    .sort((a, b) => a.length - b.length)[0];
}

/** What to show while an answer comes: its whole lines so far, then what is left of the original. */
export function partialAnswer(cleaned: string, original: string): string {
  const end = cleaned.lastIndexOf("\n");
  if (end < 0) return original;
  const come = cleaned.slice(0, end + 1);
  const count = come.split("\n").length - 1;
  return come + original.split("\n").slice(count).join("\n");
}

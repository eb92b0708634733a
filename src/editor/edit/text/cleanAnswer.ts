import { reindent } from "./indentation.ts";

/** Opens or closes a fenced code block of Markdown. */
const fenceLine = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;

/**
 * A model's answer as the replacement of `original`: without its fence, with the indentation, the surrounding blank
 * lines of the original, and the line ends of the document. `lead` is the text before the original in its first
 * line.
 */
export function cleanAnswer(answer: string, original: string, eol: "\n" | "\r\n", lead = ""): string {
  const before = original.replace(/\r\n?/g, "\n");
  const bare = withoutFence(answer.replace(/\r\n?/g, "\n"), before);
  const body = bare.replace(/^([ \t]*\n)+/, "").trimEnd();
  if (body.trim() === "") return "";
  const [blank = ""] = /^([ \t]*\n)*/.exec(before) ?? [];
  const [tail = ""] = /\s*$/.exec(before) ?? [];
  const cleaned =
    blank +
    reindent(body, { original: before.slice(blank.length), lead: blank === "" ? lead : "" }) +
    (before.trim() === "" ? "" : tail);
  return cleaned.replaceAll("\n", eol);
}

/** The content of the outer fence; the whole text if the fence is part of the requested text. */
function withoutFence(answer: string, original: string): string {
  const lines = answer.split("\n");
  const own = fenceOf(original.split("\n").find((line) => line.trim() !== "") ?? "");
  const first = lines.findIndex((line) => line.trim() !== "");
  const opening = fenceOf(lines[first] ?? "");
  if (opening && (!own || opening.length > own.length)) {
    return lines.slice(first + 1, closingOf(lines, first + 1, opening)).join("\n");
  }
  return opening || original.split("\n").some((line) => fenceOf(line)) ? answer : onlyBlock(lines);
}

/** If a model adds explanations, the code is in a fence. Several fences are left for the user to check. */
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

/** The last line if it closes the fence; else the first line that does; else the end, while the answer is streaming. */
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

/** Preview of a streaming answer: its complete lines, then the rest of the original. */
export function partialAnswer(cleaned: string, original: string): string {
  const end = cleaned.lastIndexOf("\n");
  if (end < 0) return original;
  const come = cleaned.slice(0, end + 1);
  const count = come.split("\n").length - 1;
  return come + original.split("\n").slice(count).join("\n");
}

/** A model's answer as a commit message: without fence, label or quotes, a blank line after its subject. */
export function toCommitMessage(answer: string): string {
  const bare = withoutFence(answer.replace(/\r\n?/g, "\n"), "").trim();
  const [first = "", ...rest] = bare.split("\n");
  const subject = first
    .replace(/^\**(commit message|subject)\**:\**\s*/i, "")
    .replace(/^(["'`])(.*)\1$/, "$2")
    .trim();
  const body = rest
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
  return body === "" ? subject : `${subject}\n\n${body}`;
}

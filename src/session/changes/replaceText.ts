import { ToolRefusal } from "../tools/serviceTool.ts";

/** Replaces one place, which `oldText` names exactly, or all places. Line ends of the file count as `\n`. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly all?: boolean;
}

/** A new text for a file, with the line ends that the file has. */
export function inFormOf(former: string | undefined, text: string): string {
  if (former === undefined) return text;
  const hasOnlyCrLf = former.includes("\r\n") && count(former, "\n") === count(former, "\r\n");
  return hasOnlyCrLf && !text.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

/** Lines that a refusal names. */
const mostNamed = 10;

/**
 * Applies replacements in order, each to the result of the one before. Lines of the new text get the line ends of the
 * file. Throws a ToolRefusal that says why a text is not found (with the most similar line) or not unique (with the lines).
 */
export function replaceText(path: string, text: string, replacements: readonly Replacement[]): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  let result = text.replaceAll("\r\n", "\n");
  const isMixed = eol === "\r\n" && result.length !== text.length - count(text, "\n");
  if (isMixed) result = text;
  for (const [index, { oldText, newText, all = false }] of replacements.entries()) {
    const name = replacements.length > 1 ? `Replacement ${index + 1} of ${path}` : path;
    const [sought, written] = isMixed
      ? [oldText, newText]
      : ([oldText, newText].map((one) => one.replaceAll("\r\n", "\n")) as [string, string]);
    result = replaceOnce(name, result, { oldText: sought, newText: written, all });
  }
  return eol === "\r\n" && !isMixed ? result.replaceAll("\n", "\r\n") : result;
}

function replaceOnce(name: string, text: string, { oldText, newText, all = false }: Replacement): string {
  if (oldText === "")
    throw new ToolRefusal(`${name} was not changed: old_text is empty. Name the text to replace.`);
  if (oldText === newText)
    throw new ToolRefusal(`${name} was not changed: old_text and new_text are the same.`);
  const first = text.indexOf(oldText);
  if (first < 0)
    throw new ToolRefusal(`${name} was not changed: old_text was not found.${similar(text, oldText)}`);
  const second = text.indexOf(oldText, first + 1);
  if (all) return text.split(oldText).join(newText);
  if (second >= 0)
    throw new ToolRefusal(
      `${name} was not changed: old_text is not unique, it is at the lines ${linesOf(text, oldText)}. Add lines around it, or set all to true.`,
    );
  return text.slice(0, first) + newText + text.slice(first + oldText.length);
}

/** The lines at which a text begins, counted from 1. */
function linesOf(text: string, sought: string): string {
  const found: number[] = [];
  let line = 1;
  let from = 0;
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
    if (found.length === mostNamed) return `${found.join(", ")} and more`;
    line += count(text.slice(from, at), "\n");
    from = at;
    found.push(line);
  }
  return found.join(", ");
}

/** The place where the first written line of the text stands with other white space, or how the file begins. */
function similar(text: string, sought: string): string {
  const wanted = sought
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "");
  const lines = text.split("\n");
  const at = wanted === undefined ? -1 : lines.findIndex((line) => line.trim() === wanted);
  if (at >= 0)
    return ` Line ${at + 1} has its first line, but the lines after it or the white space differ. Read the file again.`;
  return " Read the file again: it may have changed.";
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}

import type { EnclosingBlock, Lines } from "../edit/text/blockAround.ts";

/** Languages of writers. The manifest's menus name the same. */
export const proseLanguages: readonly string[] = [
  "markdown",
  "mdx",
  "quarto",
  "latex",
  "tex",
  "plaintext",
  "restructuredtext",
  "asciidoc",
  "git-commit",
];

const fence = /^ {0,3}(`{3,}|~{3,})/;
const listingStart = /^\s*\\begin\{(?:lstlisting|verbatim|minted|equation|align)\*?\}/;
const listingEnd = /^\s*\\end\{(?:lstlisting|verbatim|minted|equation|align)\*?\}/;

/** True if a line of a document is prose: not code, and not code within Markdown or LaTeX. */
export function isProseLine(languageId: string, at: number, { line, lineCount }: Lines): boolean {
  if (!proseLanguages.includes(languageId)) return false;
  if (languageId === "plaintext" || languageId === "git-commit") return true;
  let open: string | undefined;
  for (let index = 0; index <= at && index < lineCount; index++) {
    const text = line(index);
    if (open === undefined) open = openerIn(text);
    // The line that closes a block belongs to it.
    else if (closes(text, open) && index < at) open = undefined;
  }
  return open === undefined;
}

/** The fence that a line opens, or a backslash for a block of LaTeX. */
function openerIn(text: string): string | undefined {
  return fence.exec(text)?.[1] ?? (listingStart.test(text) ? "\\" : undefined);
}

function closes(text: string, open: string): boolean {
  return open === "\\" ? listingEnd.test(text) : fence.exec(text)?.[1]?.startsWith(open) === true;
}

/** A line that stands for itself: a heading, a rule, a command of LaTeX. */
const alone =
  /^\s*(?:#{1,6}\s|={3,}\s*$|-{3,}\s*$|\\(?:begin|end|(?:sub)*section|chapter|paragraph|item|title|label)\b)|^ {0,3}(?:`{3,}|~{3,})/;

/** The paragraph at a line: the lines around it up to a blank one or a heading. Undefined at the end of a text. */
export function paragraphAround(at: number, { line, lineCount }: Lines): EnclosingBlock | undefined {
  let start = at;
  // A blank line belongs to the paragraph after it.
  while (start < lineCount - 1 && line(start).trim() === "") start++;
  if (line(start).trim() === "") return undefined;
  let end = start;
  if (alone.test(line(start))) return { startLine: start, endLine: end };
  const continues = (index: number) => line(index).trim() !== "" && !alone.test(line(index));
  while (start > 0 && continues(start - 1)) start--;
  while (end < lineCount - 1 && continues(end + 1)) end++;
  return { startLine: start, endLine: end };
}

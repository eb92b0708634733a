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
const listings =
  "lstlisting|verbatim|minted|equation|align|gather|multline|eqnarray|displaymath|tikzpicture|tabular|algorithmic|comment";
const listingStart = new RegExp(`^\\s*\\\\begin\\{(?:${listings})\\*?\\}`);
const listingEnd = new RegExp(`^\\s*\\\\end\\{(?:${listings})\\*?\\}`);
/** The line that begins and ends a formula of its own lines. */
const formulaMark = /^\s*\$\$\s*$/;

/** True if a line of a document is prose: not code, and not code within Markdown or LaTeX. */
export function isProseLine(languageId: string, at: number, { line, lineCount }: Lines): boolean {
  if (!proseLanguages.includes(languageId)) return false;
  if (languageId === "plaintext" || languageId === "git-commit") return true;
  if (at < firstLineOfText(languageId, { line, lineCount })) return false;
  let open: string | undefined;
  for (let index = 0; index <= at && index < lineCount; index++) {
    const text = line(index);
    if (open === undefined) open = openerIn(text);
    // The line that closes a block belongs to it.
    else if (closes(text, open) && index < at) open = undefined;
  }
  return open === undefined;
}

/** The line behind the front matter of Markdown, or behind the preamble of LaTeX. */
function firstLineOfText(languageId: string, { line, lineCount }: Lines): number {
  const isLatex = languageId === "latex" || languageId === "tex";
  const mark = isLatex ? "" : line(0).trimEnd();
  // A text may begin with a rule, too.
  if (!isLatex && !((mark === "---" || mark === "+++") && /^[\w"'-]+\s?[:=]/.test(line(1)))) return 0;
  for (let index = 1; index < lineCount; index++) {
    const text = line(index);
    if (isLatex ? /^\s*\\begin\{document\}/.test(text) : text.trimEnd() === mark) return index + 1;
  }
  return 0;
}

/** The fence that a line opens, a backslash for a block of LaTeX, a dollar for a formula. */
function openerIn(text: string): string | undefined {
  if (formulaMark.test(text)) return "$";
  return fence.exec(text)?.[1] ?? (listingStart.test(text) ? "\\" : undefined);
}

function closes(text: string, open: string): boolean {
  if (open === "$") return formulaMark.test(text);
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

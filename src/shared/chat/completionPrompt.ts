/** The system prompt of an inline completion. The sandbox recognizes a request by it. */
export const completionRules = [
  "You are the inline completion of a code editor.",
  "The user sends the text before and after the cursor. Answer with the text to insert at the cursor, and nothing else.",
  "The answer continues the last line between <before> and </before>: do not repeat it, and do not repeat what follows the cursor.",
  "Keep the style and the indentation of the file. No explanation, no Markdown, no code fence.",
  "If nothing is missing, answer with an empty text.",
].join("\n");

export interface CompletionQuestion {
  /** Of the file, as the prompt shows it. */
  readonly name: string;
  readonly languageId: string;
  readonly before: string;
  readonly after: string;
  readonly lines: "one" | "several";
  /** Parts of other open files. */
  readonly excerpts: readonly { readonly name: string; readonly text: string }[];
}

const excerptHead = "Part of the open file ";
const opening = "<before>\n";
const middle = "\n</before>\n<after>\n";
const closing = "\n</after>";

/** The user's message. The other files come first, so that a service can cache the start of the prompt. */
export function completionPrompt(question: CompletionQuestion): string {
  const { name, languageId, before, after, lines, excerpts } = question;
  const others = excerpts.map((one) => `${excerptHead}${one.name}:\n${one.text}\n`);
  const wanted =
    lines === "one" ? "Complete this line only." : "Complete the statement or block, at most ten lines.";
  return [
    ...others,
    `File: ${name}`,
    `Language: ${languageId}`,
    wanted,
    opening + before + middle + after + closing,
  ].join("\n");
}

/** The parts of a user's message that `completionPrompt` wrote; undefined for another text. */
export function readCompletionPrompt(text: string): CompletionQuestion | undefined {
  const start = text.indexOf(`\n${opening}`);
  const cut = text.lastIndexOf(middle);
  if (start < 0 || cut < start || !text.endsWith(closing)) return undefined;
  const lines = text.slice(0, start).split("\n");
  const head = lines.slice(-2);
  return {
    name: lines.at(-3)?.replace(/^File: /, "") ?? "",
    excerpts: excerptsIn(lines.slice(0, -3)),
    languageId: head[0]?.replace(/^Language: /, "") ?? "",
    lines: head[1] === "Complete this line only." ? "one" : "several",
    before: text.slice(start + 1 + opening.length, cut),
    after: text.slice(cut + middle.length, -closing.length),
  };
}

function excerptsIn(lines: readonly string[]): CompletionQuestion["excerpts"] {
  const found: { readonly name: string; readonly lines: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith(excerptHead) && line.endsWith(":"))
      found.push({ name: line.slice(excerptHead.length, -1), lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found.map(({ name, lines: text }) => ({ name, text: text.join("\n").trimEnd() }));
}

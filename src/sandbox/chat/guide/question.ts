/** A block of code in a question, and what is asked about it. */
export interface CodeQuestion {
  /** The first paragraph outside of the quoted blocks. */
  readonly instruction: string;
  /** The info string of the fence. */
  readonly language: string;
  readonly code: string;
}

/** Reads the last block of code in a question; undefined if there is none. */
export function readCodeQuestion(question: string): CodeQuestion | undefined {
  const last = [...question.matchAll(/^(`{3,})([^`\n]*)\n([\s\S]*?)^\1`*[ \t]*$/gm)].at(-1);
  if (!last) return undefined;
  const [, , language = "", code = ""] = last;
  // The line above a block names its file, or is the whole question.
  const words = question.replace(/^(\S[^\n]*:\n)?(`{3,})[^\n]*\n[\s\S]*?^\2[ \t]*$\n*/gm, "").trim();
  const [instruction = ""] = (words === "" ? question : words).split("\n\n", 1);
  return { instruction, language: language.trim(), code: code.replace(/\n$/, "") };
}

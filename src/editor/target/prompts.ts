import { fenced } from "../../shared/text/fence.ts";

/** All prompts of the editor's actions. */

export type ChatAction = "ask" | "explain" | "writeTests";
/** Actions of writers, on prose alone. */
export type ProseAction = "rewrite" | "shorten" | "proofread" | "translate" | "summarize";
export type EditAction = "fix" | "document" | "edit" | ProseAction;

/** Questions for the chat; the code is attached. */
export const chatQuestions: Readonly<Record<ChatAction, string>> = {
  ask: "",
  explain:
    "Explain this code: what it is for, how it works step by step, and what to look out for. Be brief where the code is plain.",
  writeTests:
    "Write tests for this code, with the test framework that its project seems to use, else the usual one of its language. Cover the normal case, the edges and the failures. Give one block of code that can be saved as a file, and name the file.",
};

/** The question of *Explain* about prose. */
export const proseQuestion =
  "Explain this text: what it says, what its terms mean, and what it leaves open. Be brief where the text is plain. Answer in the language of the text.";

const whatToTest =
  "with the test framework that its project uses, in the place and the style of its other tests. Cover the normal case, the edges and the failures.";

/** The same in a chat whose model acts: it works on the files, so it is not asked for a block of code. */
export const actingQuestions: Readonly<
  Partial<Record<ChatAction, { readonly plan: string; readonly agent: string }>>
> = {
  explain: {
    plan: `${chatQuestions.explain} Look at the code that it uses where that matters. No plan is needed.`,
    agent: `${chatQuestions.explain} Look at the code that it uses where that matters. Change no file.`,
  },
  writeTests: {
    plan: `Plan tests for this code, ${whatToTest} Name the file of the tests and what each test checks.`,
    agent: `Write tests for this code, ${whatToTest} Write them to a file, run them, and mend the tests until they run. Do not change the code under test: tell me about faults that you find in it.`,
  },
};

const sameMeaning = "Keep its meaning, its language, its tone and its facts.";

export const proseInstructions: Readonly<Record<ProseAction | "fix", string>> = {
  fix: "Correct the spelling, the grammar and the punctuation of the selected text, and sentences that contradict themselves. Change nothing else: no new style, no other words where the old ones are right.",
  proofread:
    "Correct the spelling, the grammar and the punctuation of the selected text. Change nothing else: no new style, no other words where the old ones are right.",
  rewrite: `Rewrite the selected text so that it reads clearly and well: plain words, one thought in each sentence, no repetition. ${sameMeaning}`,
  shorten: `Shorten the selected text to about half of its length. Leave out what repeats or decorates, nothing that a reader needs. ${sameMeaning}`,
  summarize:
    "Replace the selected text by a summary of it: its main points in a few sentences, in its language, without anything that it does not say.",
  translate: "",
};

/** The instruction of a translation. */
export function translationInto(language: string): string {
  return `Translate the selected text into ${language}. Translate the meaning, as a native writer would say it. Leave code, commands, addresses, names of files and formulas as they are.`;
}

export const editInstructions: Readonly<Record<"fix" | "document", string>> = {
  fix: "Fix the mistakes in the selected code. Change nothing else: no new style, no other names, no extra comments.",
  document:
    "Document the selected code with comments in the usual form of its language (JSDoc, docstrings, rustdoc …). Say what a reader can't see from the names: purpose, units, errors, edge cases. Leave every line of code as it is.",
};

export interface EditQuestion {
  readonly instruction: string;
  /** Path in the workspace. */
  readonly name: string;
  readonly languageId: string;
  readonly before: string;
  readonly selected: string;
  readonly after: string;
  readonly problems: readonly string[];
}

export const editRules = [
  "You change text inside an editor. Your answer replaces the selected text as it stands, so it holds the new text and nothing else:",
  "no explanation, no greeting, nothing from before or after the selection, no marks of what changed.",
  "Keep the indentation, the style and the language of the original. Put the new text into one fenced block.",
].join(" ");

/** For prose: the language may change, the markup may not. */
export const proseRules = [
  "You change text inside an editor. Your answer replaces the selected text as it stands, so it holds the new text and nothing else:",
  "no explanation, no greeting, nothing from before or after the selection, no marks of what changed.",
  "Keep the markup of the file (Markdown, LaTeX), its links, labels, citations, code and formulas, and how its lines break. Put the new text into one fenced block.",
].join(" ");

export function editQuestion(question: EditQuestion): string {
  const { instruction, name, languageId, before, selected, after, problems } = question;
  const parts = [
    instruction,
    `File: ${name} (${languageId})`,
    problems.length > 0
      ? `Problems that the editor reports:\n${problems.map((one) => `- ${one}`).join("\n")}`
      : "",
    before.trim() === "" ? "" : `Before the selection, for reference:\n${fenced(before, languageId)}`,
    after.trim() === "" ? "" : `After the selection, for reference:\n${fenced(after, languageId)}`,
    `The selected text:\n${fenced(selected, languageId)}`,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

export interface CommitQuestion {
  readonly diff: string;
  readonly branch: string | undefined;
  /** Subjects of the last commits, newest first. */
  readonly recent: readonly string[];
  /** The text that is already in the input box. */
  readonly typed: string;
}

export const commitRules = [
  "You write the message of a git commit. Answer with the message and nothing else, without a fence.",
  "The first line says what the change does, in at most 72 characters, in the style of the recent commits.",
  "If the reason or the details need words, leave a blank line and add a short body, lines of at most 72 characters.",
  "Say only what the diff shows.",
].join(" ");

export function commitQuestion({ diff, branch, recent, typed }: CommitQuestion): string {
  const parts = [
    "Write the commit message for this diff.",
    branch ? `Branch: ${branch}` : "",
    recent.length > 0 ? `Recent commits:\n${recent.map((subject) => `- ${subject}`).join("\n")}` : "",
    typed.trim() === "" ? "" : `The author has begun with this; keep what it says:\n${fenced(typed)}`,
    fenced(diff, "diff"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

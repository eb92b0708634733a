import type { AttachRequest } from "../../../shared/chat/chatAttachments.ts";
import { readSample } from "../../../shared/names/sampleCode.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";

/** Facts about the open editor that need no file access. */
export interface WorkspaceFacts {
  readonly folder?: { readonly name: string; readonly uri: string };
  /** The file of the active editor. */
  readonly file?: OpenFile;
  /** The selected lines of the file: `line 3`, `lines 3 to 8`. */
  readonly selection?: string;
  /** Problems of that file. */
  readonly problems: { readonly errors: number; readonly warnings: number };
}

interface OpenFile {
  readonly name: string;
  readonly languageId: string;
  /** The selection, or the whole file; empty for a long file. A function, because it is copied only if it is needed. */
  readonly code: () => string;
}

/** A first question and its attachments. */
export interface Starter {
  readonly text: string;
  readonly attach: readonly AttachRequest[];
}

const prose = new Set(["markdown", "plaintext", "latex", "restructuredtext", "asciidoc", "git-commit"]);
const mostStarters = 4;
/** Names of scripts that the sandbox's model Scripted plays. */
const scripts = [
  "Fix the failing test",
  "Rename across files",
  "Edit with a stale match",
  "Follow instructions in a file",
];

/** The kind of the chosen model: a language model, or one of the sandbox's programs. Scripted plays scripts of tool calls. */
export type Answerer = "languageModel" | "guide" | "scripted";

/** First questions about the open file and folder. For the sandbox's own models: only questions that they answer. */
export function startersOf(facts: WorkspaceFacts, answerer: Answerer): readonly Starter[] {
  if (answerer === "scripted") return scripts.map((text) => ({ text, attach: [] }));
  const { file } = facts;
  const open = file && !looksSecret(file.name) ? { ...facts, file } : { ...facts, file: undefined };
  return (answerer === "languageModel" ? forModel(open) : forGuide(open)).slice(0, mostStarters);
}

interface Open extends Omit<WorkspaceFacts, "file"> {
  readonly file: OpenFile | undefined;
}

function forGuide({ file, selection }: Open): Starter[] {
  const code = file && readSample(file.code()) ? aboutCode(file.name, selection) : [];
  const talk = ["What can you do?", "What does a request cost?", "How do I sign in with my key?"];
  return [...code, ...talk.map((text) => ({ text, attach: [] }))];
}

function forModel({ file, selection, folder, problems }: Open): Starter[] {
  const about = file ? aboutFile(file, selection, problems) : [];
  const inFolder: Starter[] = folder
    ? [
        {
          text: `What is the project ${folder.name} about, and how is it built?`,
          attach: [{ kind: "uri", uri: folder.uri }],
        },
      ]
    : [];
  const others = ["Write a regular expression for ISO dates", "Compare REST and JSON-RPC in a table"];
  return [...about, ...inFolder, ...others.map((text) => ({ text, attach: [] }))];
}

function aboutFile(
  { name, languageId }: OpenFile,
  selection: string | undefined,
  { errors, warnings }: WorkspaceFacts["problems"],
): Starter[] {
  const attach: readonly AttachRequest[] = [{ kind: "editor" }];
  if (prose.has(languageId))
    return [
      { text: `Summarize ${name} in five sentences`, attach },
      { text: `What is unclear in ${name}, and how would you put it?`, attach },
    ];
  const found = errors > 0 ? count(errors, "error") : count(warnings, "warning");
  const fix: Starter[] =
    errors + warnings > 0
      ? [{ text: `Fix the ${found} in ${name}`, attach: [{ kind: "editor" }, { kind: "problems" }] }]
      : [];
  return [...fix, ...aboutCode(name, selection), { text: `Write tests for ${name}`, attach }];
}

function aboutCode(name: string, selection: string | undefined): Starter[] {
  return selection === undefined
    ? [{ text: `Explain ${name}`, attach: [{ kind: "editor" }] }]
    : [{ text: `Explain ${selection} of ${name}`, attach: [{ kind: "selection" }] }];
}

function count(number: number, word: string): string {
  return number === 1 ? word : `${number} ${word}s`;
}

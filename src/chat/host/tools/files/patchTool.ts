import { questionAbout } from "../../../../changes/engine/files/fileRisk.ts";
import { isNotebookPath } from "../../../../changes/engine/notebooks/notebookText.ts";
import type { AgentWriter, FileChange, WriteOptions } from "../../../../changes/engine/pendingChanges.ts";
import type { KnownTexts } from "../../../../changes/engine/records/knownTexts.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { messageOf } from "../../../../shared/messageOf.ts";
import { shortList } from "../../../../shared/text/shortened.ts";
import { type PathRoots, toWorkspacePath } from "../../../../tools/input/workspacePath.ts";
import { inputText, type ToolInput, toolSchema } from "../../../../tools/serviceTool.ts";
import { type PatchedFile, parsePatch, patchedText } from "../../code/codexPatch.ts";
import { builtIn, type CallContext, type ChatTool } from "../tool.ts";
import { EditReport, type ProblemsBefore } from "./editReport.ts";

export interface PatchToolDeps {
  readonly writer: () => Promise<AgentWriter>;
  /** The text of a file as its editor shows it. Rejects without one. */
  readonly readText: (path: string) => Promise<string>;
  readonly knownTo: (context: CallContext) => KnownTexts;
  /** A file has changed about which the user is asked. */
  readonly onRunChanged: () => void;
  readonly problems: ProblemsBefore;
  readonly roots: () => PathRoots;
}

/** Models of OpenAI are trained to change files by patches of this form. For others the tool would only cost tokens. */
const trained = /(?:^|[^a-z\d])(?:chat)?(?:gpt|codex)(?![a-z])/i;

/** Files that the card names. */
const maxNamed = 5;

/** Changes several files by one patch: all of them or none. */
export function createPatchTool(deps: PatchToolDeps): ChatTool {
  const filesOf = (input: ToolInput) => readFiles(inputText(input, "patch"), deps.roots());
  return {
    ...builtIn("apply_patch", "Apply a patch", "edit"),
    readsFirst: true,
    description:
      "Changes files by a patch: *** Begin Patch, then *** Add File: path, *** Delete File: path or *** Update File: path (with *** Move to: path), with hunks of lines that begin with a blank, - or + after a line @@, and *** End Patch. If one file can't be changed, none is.",
    parameters: toolSchema({ patch: { type: "string", minLength: 1 } }),
    isFor: (model) => trained.test(model),
    question: (input) =>
      pathsIn(filesOf(input))
        .map((path) => questionAbout(path))
        .find((one) => one !== undefined),
    scopes(input) {
      const asked = pathsIn(filesOf(input)).filter((path) => questionAbout(path) !== undefined);
      return asked.length === 0 ? undefined : asked;
    },
    summary(input) {
      const files = filesOf(input);
      return typeof files === "string" ? "Apply a patch that can't be read" : `Patch: ${patchWords(files)}`;
    },
    async run(input, signal, context) {
      const files = filesOf(input);
      if (typeof files === "string") throw new Refusal(`${files} Nothing was changed.`);
      return new PatchRun(deps, context, files).run(signal);
    },
  };
}

/** The files of a patch with their paths in the workspace; a sentence if it can't be read. */
function readFiles(patch: string, roots: PathRoots): readonly PatchedFile[] | string {
  try {
    return parsePatch(patch).map((file): PatchedFile => {
      const path = toWorkspacePath(file.path, roots);
      if (file.kind !== "update" || file.moveTo === undefined) return { ...file, path };
      return { ...file, path, moveTo: toWorkspacePath(file.moveTo, roots) };
    });
  } catch (error) {
    return messageOf(error);
  }
}

function pathsIn(files: readonly PatchedFile[] | string): readonly string[] {
  if (typeof files === "string") return [];
  return files.flatMap((file) =>
    file.kind === "update" && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path],
  );
}

/** `edit a.ts, add b.ts, delete c.ts, move d.ts to e.ts`. */
function patchWords(files: readonly PatchedFile[]): string {
  const words = files.map((file) => {
    if (file.kind !== "update") return `${file.kind} ${file.path}`;
    return file.moveTo === undefined ? `edit ${file.path}` : `move ${file.path} to ${file.moveTo}`;
  });
  return shortList(words, maxNamed);
}

/** One patch being applied. */
class PatchRun {
  readonly #deps: PatchToolDeps;
  readonly #context: CallContext;
  readonly #files: readonly PatchedFile[];
  readonly #changes: FileChange[] = [];
  /** What restores the files that were changed, the last one first. */
  readonly #undo: (() => Promise<readonly FileChange[]>)[] = [];

  constructor(deps: PatchToolDeps, context: CallContext, files: readonly PatchedFile[]) {
    this.#deps = deps;
    this.#context = context;
    this.#files = files;
  }

  async run(signal: AbortSignal): Promise<string> {
    const texts = await this.#checked();
    signal.throwIfAborted();
    const report = new EditReport(this.#deps.problems.since(this.#context));
    const options = { known: this.#deps.knownTo(this.#context), onWritten: report.noted };
    const writer = await this.#deps.writer();
    try {
      for (const file of inOrder(this.#files)) await this.#apply(writer, file, texts, signal, options);
    } catch (error) {
      const left = await this.#undone();
      const reason = messageOf(error);
      throw new Refusal(left === "" ? `${reason} No file was changed.` : `${reason} ${left}`);
    } finally {
      if (this.#changes.length > 0) this.#context.changed(this.#changes);
      if (pathsIn(this.#files).some((path) => questionAbout(path) !== undefined)) this.#deps.onRunChanged();
    }
    const isSame = this.#changes.every(({ before, after }) => before === after);
    const done = isSame
      ? "Nothing was changed: the files have these contents already."
      : `Done: ${patchWords(this.#files)}. The user reviews the changes and can reject them.`;
    this.#context.written();
    const now = await report.text(signal);
    return now === "" ? done : `${done}\n${now}`;
  }

  /** The present texts, by path. Throws a Refusal with all that can't be done, before anything is changed. */
  async #checked(): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    const faults: string[] = [];
    for (const file of this.#files) {
      const text = await this.#deps.readText(file.path).catch((error: Error) => error);
      const fault = faultIn(file, text);
      if (fault !== undefined) faults.push(fault);
      if (typeof text === "string" && file.kind !== "add") texts.set(file.path, text);
    }
    if (faults.length > 0) throw new Refusal(`No file was changed. ${faults.join(" ")}`);
    return texts;
  }

  async #apply(
    writer: AgentWriter,
    file: PatchedFile,
    texts: ReadonlyMap<string, string>,
    signal: AbortSignal,
    options: WriteOptions,
  ): Promise<void> {
    const { path } = file;
    const before = texts.get(path) ?? "";
    if (file.kind === "add") {
      this.#changes.push(await writer.write(path, file.text, signal, options));
      this.#undo.push(async () => [await writer.remove(path, endless)]);
    } else if (file.kind === "delete") {
      this.#changes.push(await writer.remove(path, signal));
      this.#undo.push(async () => {
        // Its text is that of its cells, which is not what its file had.
        if (isNotebookPath(path)) throw new Refusal(`${path} is deleted, and the user can restore it.`);
        return [await writer.write(path, before, endless)];
      });
    } else {
      if (file.hunks.length > 0) {
        // The user may have typed since the check.
        let old = before;
        const change = (text: string) => {
          old = text;
          return patchedText(path, text, file.hunks);
        };
        this.#changes.push(await writer.edit(path, change, signal, options));
        this.#undo.push(async () => [await writer.edit(path, () => old, endless)]);
      }
      const { moveTo } = file;
      if (moveTo === undefined) return;
      this.#changes.push(...(await writer.move(path, moveTo, signal)));
      this.#undo.push(() => writer.move(moveTo, path, endless));
    }
  }

  /** Restores what was changed, as far as it can be; sentences about the rest. */
  async #undone(): Promise<string> {
    const reasons: string[] = [];
    for (const undo of this.#undo.toReversed())
      try {
        this.#changes.push(...(await undo()));
      } catch (error) {
        reasons.push(messageOf(error));
      }
    if (reasons.length === 0) return "";
    return `Some files were changed before, and could not all be restored: ${reasons.join(" ")} Read the files again.`;
  }
}

/** Deletions come last, because a file that is written again may have lost its encoding; a folder takes the place of its file. */
function inOrder(files: readonly PatchedFile[]): readonly PatchedFile[] {
  const paths = pathsIn(files);
  const isLast = ({ kind, path }: PatchedFile) =>
    kind === "delete" && !paths.some((other) => other.startsWith(`${path}/`));
  return files.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));
}

/** What was begun is restored whole, also when the call was stopped. */
const endless = new AbortController().signal;

function faultOf(path: string, text: string, hunks: Parameters<typeof patchedText>[2]): string | undefined {
  try {
    patchedText(path, text, hunks);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Why a part of a patch can't be done; undefined if it can. `text` is the present text of its file, or why it can't be read. */
function faultIn(file: PatchedFile, text: string | Error): string | undefined {
  if (file.kind === "add")
    return typeof text === "string" ? `${file.path} exists already: change it with Update File.` : undefined;
  if (typeof text !== "string") return text.message;
  return file.kind === "update" ? faultOf(file.path, text, file.hunks) : undefined;
}

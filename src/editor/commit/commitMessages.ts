import * as vscode from "vscode";
import {
  chooseRepository,
  gitApi,
  type Repository,
  untrackedStatus,
} from "../../platform/editor/git/gitApi.ts";
import { requestedModel } from "../../session/requestModel.ts";
import { hasService, sayFailure } from "../../session/sandbox/readiness.ts";
import { commands, contexts } from "../../shared/names/ids.ts";
import { looksSecret } from "../../shared/secretFiles.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import type { EditorParts } from "../deps.ts";
import { toCommitMessage } from "../edit/text/cleanAnswer.ts";
import { streamText } from "../edit/text/streamText.ts";
import { diffCharacters } from "../limits.ts";
import { commitQuestion, commitRules } from "../target/prompts.ts";
import { formatUsed } from "../usageFormat.ts";
import { boundDiff, describeLeftOut, newFileDiff } from "./commitDiff.ts";

interface Written {
  readonly repository: Repository;
  readonly before: string;
  readonly after: string;
}

const recentCommits = 8;

export class CommitMessages implements vscode.Disposable {
  readonly #deps: EditorParts;
  #running: AbortController | undefined;
  #written: Written | undefined;

  constructor(deps: EditorParts) {
    this.#deps = deps;
  }

  /** Writes a message into the input box of a repository; `source` is the argument of the button's command. */
  async write(source: unknown): Promise<void> {
    if (this.#running) return;
    const git = await gitApi();
    if (typeof git === "string") return void vscode.window.showWarningMessage(git);
    const repository = await chooseRepository(git, source);
    if (!repository)
      return void vscode.window.showInformationMessage("No git repository is open. Open a folder with one.");
    if (!(await hasService(this.#deps))) return;
    const abort = new AbortController();
    this.#running = abort;
    this.#reportState();
    const location = vscode.ProgressLocation.SourceControl;
    try {
      const retry = () => this.write(source);
      await vscode.window.withProgress({ location }, async () => {
        this.#written = (await writeMessage(this.#deps, repository, abort, retry)) ?? this.#written;
      });
    } catch (error) {
      sayFailure(this.#deps, error, () => this.write(source));
    } finally {
      this.#running = undefined;
      this.#reportState();
    }
  }

  stop(): void {
    this.#running?.abort();
  }

  /** Restores the text that was in the input box before. */
  async restore(): Promise<void> {
    if (!this.#written) return;
    const { repository, before, after } = this.#written;
    // Text typed since then goes to the clipboard, so it is not lost.
    if (repository.inputBox.value !== after) await vscode.env.clipboard.writeText(repository.inputBox.value);
    repository.inputBox.value = before;
    this.#written = undefined;
    this.#reportState();
  }

  dispose(): void {
    this.#running?.abort();
  }

  #reportState(): void {
    const state = this.#running ? "running" : this.#written ? "written" : "none";
    void vscode.commands.executeCommand("setContext", contexts.commitState, state);
  }
}

/** Streams a message into the input box. Resolves with undefined and tells the user why if none was written. */
async function writeMessage(
  deps: EditorParts,
  repository: Repository,
  abort: AbortController,
  retry: () => unknown,
): Promise<Written | undefined> {
  const changes = await readChanges(repository);
  if (changes.diff === "") {
    void vscode.window.showInformationMessage(withoutLinks(changes.notice));
    return undefined;
  }
  const client = await deps.session.client({ kind: "editor", resource: repository.rootUri.toString() });
  const model = await requestedModel(client, deps.chosenModels, abort.signal);
  const bound = boundDiff(changes.diff, diffCharacters(model));
  const leftOut = describeLeftOut(bound);
  if (bound.text === "") {
    const sentence = `There are no changes to describe. ${leftOut}`;
    void vscode.window.showWarningMessage(withoutLinks(sentence));
    return undefined;
  }
  const before = repository.inputBox.value;
  const box = createBox(repository, () => abort.abort());
  const recent = await recentSubjects(repository);
  const branch = repository.state.HEAD?.name;
  try {
    const { text, end, used } = await streamText(client, {
      model,
      rules: commitRules,
      question: commitQuestion({ diff: bound.text, branch, recent, typed: before }),
      cacheKey: deps.cacheKeys.of(client.connection.id, "commit", repository.rootUri.toString()),
      signal: abort.signal,
      onText: (received) => box.put(toCommitMessage(received)),
    });
    const after = toCommitMessage(text);
    box.put(after);
    const cut = end === "cut" ? "The message is incomplete." : "";
    const facts = used ? `${model.name}: ${formatUsed(used)}.` : "";
    void offerUndo([changes.notice, leftOut, cut, facts].filter((part) => part !== "").join(" "));
    return { repository, before, after };
  } catch (error) {
    // An incomplete message is removed: the box gets its earlier text, unless the user has typed.
    box.put(before);
    sayFailure(deps, error, retry);
    return undefined;
  }
}

async function offerUndo(message: string): Promise<void> {
  const undo = "Undo";
  if ((await vscode.window.showInformationMessage(withoutLinks(message), undo)) === undo)
    await vscode.commands.executeCommand(commands.editorRestoreCommitMessage);
}

/** The input box of a repository. Once the user types into it, nothing more is written there. */
function createBox({ inputBox }: Repository, onTyped: () => void) {
  // The editor echoes each written text, so an older one may be read for a moment.
  const own = new Set([inputBox.value]);
  let isTyped = false;
  return {
    put(text: string) {
      if (!isTyped && !own.has(inputBox.value)) {
        isTyped = true;
        onTyped();
      }
      if (isTyped) return;
      own.add(text);
      inputBox.value = text;
    },
  };
}

/** The staged changes; without any, all that a commit would take, with a notice. */
async function readChanges(
  repository: Repository,
): Promise<{ readonly diff: string; readonly notice: string }> {
  const staged = await repository.diff(true);
  if (staged.trim() !== "") return { diff: staged, notice: "" };
  const unstaged = await repository.diff(false);
  await repository.status();
  const added = await readNewFiles(repository);
  const diff = [unstaged, added.diff].filter((text) => text.trim() !== "").join("\n");
  if (diff === "") return { diff, notice: "There are no changes to describe." };
  const others = added.leftOut > 0 ? ` ${added.leftOut} new files were left out.` : "";
  return { diff, notice: `Nothing is staged, so the message describes all changes.${others}` };
}

const mostNewFiles = 100;
const mostNewBytes = 200_000;

/** New files as git writes them in a diff, which it does for tracked files only. */
async function readNewFiles({
  rootUri,
  state,
}: Repository): Promise<{ readonly diff: string; readonly leftOut: number }> {
  const added = state.workingTreeChanges.filter(({ status }) => status === untrackedStatus);
  const diffs = added.slice(0, mostNewFiles).map(async ({ uri }) => {
    const path = uri.path.slice(rootUri.path.length + 1);
    return newFileDiff(path, looksSecret(path) ? undefined : await readText(uri));
  });
  return {
    diff: (await Promise.all(diffs)).join(""),
    leftOut: Math.max(0, added.length - mostNewFiles),
  };
}

/** Undefined for what is not a text file of a moderate size. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if (type !== vscode.FileType.File || size > mostNewBytes) return undefined;
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.subarray(0, 8000).includes(0) ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/** Subjects of recent commits as examples of style; empty for a repository without commits. */
async function recentSubjects(repository: Repository): Promise<string[]> {
  try {
    const commits = await repository.log({ maxEntries: recentCommits });
    return commits.map(({ message }) => (message.split("\n", 1)[0] ?? "").slice(0, 100));
  } catch {
    return [];
  }
}

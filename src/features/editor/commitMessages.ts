import * as vscode from "vscode";
import { hasService, sayFailure } from "../../session/readiness.ts";
import { commands, contexts } from "../../shared/ids.ts";
import { formatUsed } from "../../shared/usageFormat.ts";
import { withoutLinks } from "../../shared/withoutLinks.ts";
import { toCommitMessage } from "./cleanAnswer.ts";
import { boundDiff, describeLeftOut } from "./commitDiff.ts";
import type { EditorDeps } from "./deps.ts";
import { chooseRepository, gitApi, type Repository } from "./gitApi.ts";
import { diffCharacters } from "./limits.ts";
import { chosenModel } from "./models.ts";
import { commitQuestion, commitRules } from "./prompts.ts";
import { streamText } from "./streamText.ts";

export interface CommitMessages extends vscode.Disposable {
  /** Writes a message into the box of a repository; `source` is what the button in its title hands over. */
  write(source: unknown): Promise<void>;
  stop(): void;
  /** Puts back what stood in the box before the last message. */
  restore(): Promise<void>;
}

interface Written {
  readonly repository: Repository;
  readonly before: string;
  readonly after: string;
}

const recentCommits = 8;

export function createCommitMessages(deps: EditorDeps): CommitMessages {
  let running: AbortController | undefined;
  let written: Written | undefined;
  const reportState = () => {
    const state = running ? "running" : written ? "written" : "none";
    void vscode.commands.executeCommand("setContext", contexts.commitState, state);
  };

  const write = async (repository: Repository, abort: AbortController, retry: () => unknown) => {
    const changes = await readChanges(repository);
    if (changes.diff === "") return void vscode.window.showInformationMessage(withoutLinks(changes.notice));
    const client = await deps.session.client();
    const model = await chosenModel(client, deps.chosenModels, abort.signal);
    const bound = boundDiff(changes.diff, diffCharacters(model));
    const leftOut = describeLeftOut(bound);
    if (bound.text === "")
      return void vscode.window.showWarningMessage(withoutLinks(`There is nothing to describe. ${leftOut}`));
    const before = repository.inputBox.value;
    const box = createBox(repository, () => abort.abort());
    const recent = await recentSubjects(repository);
    const branch = repository.state.HEAD?.name;
    try {
      const { text, end, used } = await streamText(client, {
        model,
        rules: commitRules,
        question: commitQuestion({ diff: bound.text, branch, recent, typed: before }),
        signal: abort.signal,
        onText: (come) => box.put(toCommitMessage(come)),
      });
      const after = toCommitMessage(text);
      box.put(after);
      written = { repository, before, after };
      const cut = end === "cut" ? "The message broke off." : "";
      const facts = used ? `${model.name}: ${formatUsed(used)}.` : "";
      void offerUndo([changes.notice, leftOut, cut, facts].filter((part) => part !== "").join(" "));
    } catch (error) {
      // Half a message is no message: the box holds again what it held, unless somebody typed into it.
      box.put(before);
      sayFailure(deps, error, retry);
    }
  };
  const offerUndo = async (message: string) => {
    const undo = "Undo";
    if ((await vscode.window.showInformationMessage(withoutLinks(message), undo)) === undo)
      await vscode.commands.executeCommand(commands.commitRestore);
  };
  const commits: CommitMessages = {
    async write(source) {
      if (running) return;
      const git = await gitApi();
      if (typeof git === "string") return void vscode.window.showWarningMessage(git);
      const repository = await chooseRepository(git, source);
      if (!repository)
        return void vscode.window.showInformationMessage("There is no git repository open here.");
      if (!(await hasService(deps))) return;
      const abort = new AbortController();
      running = abort;
      reportState();
      const location = vscode.ProgressLocation.SourceControl;
      try {
        await vscode.window.withProgress({ location }, () =>
          write(repository, abort, () => commits.write(source)),
        );
      } catch (error) {
        sayFailure(deps, error, () => commits.write(source));
      } finally {
        running = undefined;
        reportState();
      }
    },
    stop: () => running?.abort(),
    async restore() {
      if (!written) return;
      const { repository, before, after } = written;
      // What was typed since then goes to the clipboard: nothing is lost either way.
      if (repository.inputBox.value !== after)
        await vscode.env.clipboard.writeText(repository.inputBox.value);
      repository.inputBox.value = before;
      written = undefined;
      reportState();
    },
    dispose: () => running?.abort(),
  };
  return commits;
}

/** The box of a repository, which belongs to whoever types into it: then nothing more is put there. */
function createBox({ inputBox }: Repository, onTyped: () => void) {
  // The editor's window echoes each text back, so that an older one may stand there for a moment.
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

/** What is staged; where nothing is, what is not, with a sentence that says so. */
async function readChanges(
  repository: Repository,
): Promise<{ readonly diff: string; readonly notice: string }> {
  const staged = await repository.diff(true);
  if (staged.trim() !== "") return { diff: staged, notice: "" };
  const unstaged = await repository.diff(false);
  if (unstaged.trim() !== "")
    return {
      diff: unstaged,
      notice: "Nothing is staged: this message is about all changes of tracked files.",
    };
  return {
    diff: "",
    notice: "There is no change to describe. Stage new files first: git shows none of them before.",
  };
}

/** The style to write in; a repository without a commit has none. */
async function recentSubjects(repository: Repository): Promise<string[]> {
  try {
    const commits = await repository.log({ maxEntries: recentCommits });
    return commits.map(({ message }) => (message.split("\n", 1)[0] ?? "").slice(0, 100));
  } catch {
    return [];
  }
}

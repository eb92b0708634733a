// A Git repository of the user that is open in an editor, and the worktrees of acting subagents.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileChange, PendingChanges } from "../../../../../../src/changes/engine/pendingChanges.ts";
import type * as Acting from "../../../../../../src/chat/host/subagents/acting/actingTrees.ts";
import type { CommandSandbox } from "../../../../../../src/chat/host/tools/commands/sandbox/commandSandbox.ts";
import type { CallContext } from "../../../../../../src/chat/host/tools/tool.ts";
import type { editorFiles as EditorFiles } from "../../../../../../src/tools/files/editorFiles.ts";
import { editor, loadWithEditor } from "../../../../changes/editorModel.ts";
import { openChanges } from "../../../../changes/openChanges.ts";
import { uriOf } from "../../../../changes/seenFiles.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";
import { noResults } from "../../../noResults.ts";

const { ActingTrees } = await loadWithEditor<typeof Acting>("src/chat/host/subagents/acting/actingTrees.ts");
const { editorFiles } = await loadWithEditor<{ readonly editorFiles: typeof EditorFiles }>(
  "src/tools/files/editorFiles.ts",
);

export const never = new AbortController().signal;

const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" },
};

export function gitIn(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-C", folder, ...args], { env, encoding: "utf8", stdio: "pipe" });
}

function putIn(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

export interface Workspace {
  readonly root: string;
  /** The folder of the extension. */
  readonly storage: string;
  readonly changes: PendingChanges;
  readonly trees: Acting.ActingTrees;
  /** What calls have changed in the workspace. */
  readonly made: FileChange[];
  git(...args: readonly string[]): string;
  put(files: Readonly<Record<string, string | Uint8Array>>): void;
  /** As in the editor, without saving. */
  type(path: string, text: string): void;
  read(path: string): string;
  /** Opens the files of a subagent. */
  act(signal?: AbortSignal): Promise<Actor>;
  /** What the user sees of the repository: its state, and each file of it. */
  state(): unknown;
  /** Folders of worktrees, of the extension and of Git. */
  leftOver(): readonly string[];
}

interface Actor {
  readonly tree: Acting.ActingTree;
  call(name: string, input: object, signal?: AbortSignal, began?: CallContext["began"]): Promise<string>;
  /** Rejects if the call is not refused. */
  refusal(name: string, input: object): Promise<string>;
  merge(signal?: AbortSignal): Promise<string>;
}

/** Paths have blanks. `at` is the folder of the workspace in the repository; all is in `base`. */
export function openWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> | undefined,
  at = "",
  { base = temporaryFolder(), sandbox }: { readonly base?: string; readonly sandbox?: CommandSandbox } = {},
): Workspace {
  const [storage, repository] = [join(base, "the storage"), join(base, "the work")];
  const root = join(repository, at);
  mkdirSync(root, { recursive: true });
  if (files) {
    gitIn(repository, "init", "--quiet", "--initial-branch=main");
    putIn(repository, files);
    gitIn(repository, "add", "--all");
    gitIn(repository, "commit", "--quiet", "--message=first");
  }
  editor.start(root);
  const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
  const made: FileChange[] = [];
  const context: CallContext = {
    source: { kind: "chat" },
    changed: (more) => void made.push(...more),
    written() {},
    planned() {},
    began() {},
    results: {
      find: async () => assert.fail("no result is kept"),
      maxTokens: noResults.maxTokens(),
      addPicture: async () => {},
    },
  };
  const trees = new ActingTrees({
    folder: join(storage, "worktrees"),
    writer: async () => changes.writer,
    files: editorFiles,
    readDocument: async () => "",
    problems: { since: () => ({ newIn: async () => "" }) },
    sandbox,
  });
  const act = async (signal = never): Promise<Actor> => {
    const tree = await trees.open(signal);
    const call = async (name: string, input: object, given = never, began = context.began) => {
      const tool = tree.tools.find((one) => one.name === name) ?? assert.fail(name);
      return (await tool.run?.({ ...input }, given, { ...context, began })) ?? assert.fail("it does not run");
    };
    const refusal = (name: string, input: object) =>
      call(name, input).then(
        (text) => assert.fail(text),
        (error: Error) => error.message,
      );
    return { tree, call, refusal, merge: (given = never) => tree.merge(context, given) };
  };
  return {
    ...{ root, storage, changes, trees, made, act },
    git: (...args) => gitIn(root, ...args),
    put: (more) => putIn(root, more),
    type: (path, text) => editor.open(uriOf(path)).put(text),
    read: (path) => readFileSync(join(root, path), "utf8"),
    state: () => stateOf(repository),
    leftOver() {
      const own = existsSync(join(storage, "worktrees")) ? readdirSync(join(storage, "worktrees")) : [];
      const gits = gitIn(root, "worktree", "list", "--porcelain")
        .split("\n")
        .filter((line) => line.startsWith("worktree "));
      const kept = join(repository, ".git/worktrees");
      return [...own, ...gits.slice(1), ...(existsSync(kept) ? readdirSync(kept) : [])];
    },
  };
}

/** The index by its bytes, what HEAD and all refs name, and the configuration. */
function stateOf(repository: string): unknown {
  const place = join(repository, ".git");
  const index = join(place, "index");
  return {
    index: [readFileSync(index).toString("base64"), statSync(index).mtimeMs],
    head: readFileSync(join(place, "HEAD"), "utf8"),
    refs: gitIn(repository, "for-each-ref"),
    stash: gitIn(repository, "stash", "list"),
    config: readFileSync(join(place, "config"), "utf8"),
    log: gitIn(repository, "reflog", "HEAD"),
    status: gitIn(repository, "--no-optional-locks", "status", "--porcelain"),
  };
}

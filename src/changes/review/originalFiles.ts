import { basename } from "node:path/posix";
import * as vscode from "vscode";
import { reviewScheme } from "../../shared/names/ids.ts";
import { visibleLine } from "../../shared/text/html/visibleText.ts";
import type { ChangedFile } from "../engine/changedFile.ts";
import type { PendingChanges } from "../engine/pendingChanges.ts";
import type { StagedChanges } from "../engine/staged/stagedChanges.ts";
import { ChangesTab, isOfAll } from "./changesTab.ts";

/**
 * Diffs between the files before the agent and now, and the sides of all diffs of the review. A side is a read-only file, so
 * that pictures work, too.
 */
export interface OriginalFiles extends vscode.Disposable {
  /** Opens the diff of a file; `line` is shown, counted from 0. */
  showDiff(file: ChangedFile, line: number | undefined): Promise<void>;
  /** Opens one editor with the diffs of all files. */
  showAll(): Promise<void>;
  /** Reads the open sides again, closes diffs of files that are decided, and lets the diffs of all files follow. */
  refresh(): void;
  /** Reads these sides again now. */
  readAgain(sides: readonly vscode.Uri[]): void;
  /** The file of a side of a diff of an agent's change. */
  fileBehind(uri: vscode.Uri): vscode.Uri;
}

const refreshMs = 200;

export function createOriginalFiles(changes: PendingChanges): OriginalFiles {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const watched = new Map<string, vscode.Uri>();
  const all = new ChangesTab(() => changes.files.map((file) => [file.uri, ...sidesOf(file)] as const));
  let version = 1;
  let timer: NodeJS.Timeout | undefined;
  const read = async (uri: vscode.Uri): Promise<Uint8Array> => {
    const content = isStaged(uri) ? stagedSide(changes.staged, uri) : await originalSide(changes, uri);
    return content ?? new Uint8Array();
  };
  const readAgain = (sides: readonly vscode.Uri[]) => {
    version += 1;
    changed.fire(sides.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  };
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions("A side of a diff can't be changed.");
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch(uri) {
      watched.set(uri.toString(), uri);
      return { dispose: () => void watched.delete(uri.toString()) };
    },
    stat: async (uri) => ({
      type: vscode.FileType.File,
      ctime: 0,
      mtime: version,
      size: (await read(uri)).length,
      permissions: vscode.FilePermission.Readonly,
    }),
    readFile: read,
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  const registered = vscode.workspace.registerFileSystemProvider(reviewScheme, provider, {
    isReadonly: true,
    isCaseSensitive: true,
  });
  const refreshNow = () => {
    timer = undefined;
    readAgain([...watched.values()].filter((uri) => !isStaged(uri)));
    const decided = openDiffs().filter(({ of }) => !changes.fileOf(of));
    if (decided.length > 0) void vscode.window.tabGroups.close(decided.map(({ tab }) => tab));
    all.refresh();
  };
  return {
    async showDiff(file, line) {
      const [before, now] = sidesOf(file);
      const title = `${visibleLine(basename(file.path))} (Before the Agent ↔ Now)`;
      const selection = line === undefined ? {} : { selection: new vscode.Range(line, 0, line, 0) };
      await vscode.commands.executeCommand("vscode.diff", before, now, title, selection);
    },
    showAll: () => all.show(),
    refresh() {
      timer ??= setTimeout(refreshNow, refreshMs);
    },
    readAgain,
    fileBehind,
    dispose() {
      clearTimeout(timer);
      all.dispose();
      registered.dispose();
      changed.dispose();
    },
  };
}

/** The sides of the diff of a file. A file that does not exist has no text, and the text of a link is its target. */
function sidesOf({ uri, kind }: ChangedFile): readonly [before: vscode.Uri, now: vscode.Uri] {
  const side = (authority: "before" | "empty" | "link") =>
    vscode.Uri.from({ scheme: reviewScheme, authority, path: uri.path, query: uri.toString() });
  const now = kind === "deleted" ? side("empty") : kind === "linked" ? side("link") : uri;
  return [side(kind === "created" ? "empty" : "before"), now];
}

/** Undefined for a file that did not exist. */
async function originalSide(changes: PendingChanges, uri: vscode.Uri): Promise<Uint8Array | undefined> {
  const link = changes.fileOf(fileBehind(uri))?.link;
  if (uri.authority === "link") return Buffer.from(link?.after ?? "");
  return uri.authority === "empty" ? undefined : changes.originalOf(fileBehind(uri));
}

/** The byte order mark says the encoding: the user's setting may be another one. */
function stagedSide(staged: StagedChanges, uri: vscode.Uri): Uint8Array | undefined {
  const sides = staged.of(uri)?.sides;
  return sides && Buffer.from(`\ufeff${uri.path.split("/")[2] === "before" ? sides.before : sides.after}`);
}

function isStaged({ scheme, authority }: vscode.Uri): boolean {
  return scheme === reviewScheme && (authority === "edit" || authority === "code");
}

function fileBehind(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === reviewScheme && !isStaged(uri) ? vscode.Uri.parse(uri.query, true) : uri;
}

/** True for a tab that compares a file with what it was, or all files. */
export function compares(tab: vscode.Tab, uri: vscode.Uri): boolean {
  const { input } = tab;
  if (isOfAll(tab)) return true;
  return isDiff(input) && input.modified.toString() === uri.toString();
}

/** The editor compares notebooks by their cells. */
function isDiff(input: unknown): input is vscode.TabInputTextDiff | vscode.TabInputNotebookDiff {
  return input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff;
}

function openDiffs(): { readonly tab: vscode.Tab; readonly of: vscode.Uri }[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap((tab) => {
      const { input } = tab;
      const isOurs = isDiff(input) && input.original.scheme === reviewScheme && !isStaged(input.original);
      return isOurs ? [{ tab, of: fileBehind(input.original) }] : [];
    });
}

import * as vscode from "vscode";
import type { PendingHunk } from "../../session/changes/hunkList.ts";
import type { ChangedFile, PendingChanges } from "../../session/changes/pendingChanges.ts";
import { commands } from "../../shared/ids.ts";
import { isWhole, lineCounts, plural } from "./places.ts";

/** Lenses above the pending hunks. */
export interface HunkLenses extends vscode.Disposable {
  refresh(): void;
}

const hunkActions = ["accept", "reject", "diff"] as const;

/** The command of a lens is added once the lens is visible. */
class HunkLens extends vscode.CodeLens {
  readonly uri: vscode.Uri;
  readonly hunk: PendingHunk;
  readonly action: (typeof hunkActions)[number];
  constructor(
    line: number,
    { uri, hunk, action }: { uri: vscode.Uri; hunk: PendingHunk; action: (typeof hunkActions)[number] },
  ) {
    super(new vscode.Range(line, 0, line, 0));
    this.uri = uri;
    this.hunk = hunk;
    this.action = action;
  }
}

export function createHunkLenses(changes: PendingChanges): HunkLenses {
  const changed = new vscode.EventEmitter<void>();
  let shown = "";
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses(document) {
      const file = changes.fileOf(document.uri);
      return file ? lensesOf(file, document.lineCount) : [];
    },
    resolveCodeLens(lens) {
      if (lens instanceof HunkLens) lens.command = commandOf(lens);
      return lens;
    },
  };
  const registered = vscode.languages.registerCodeLensProvider("*", provider);
  return {
    refresh() {
      // The editor asks again after each typed text; lenses that only moved need no event.
      const now = changes.files
        .map(({ path, hunks }) => [path, ...hunks.map(({ id }) => id)].join())
        .join("\n");
      if (now !== shown) changed.fire();
      shown = now;
    },
    dispose() {
      registered.dispose();
      changed.dispose();
    },
  };
}

function lensesOf(file: ChangedFile, lineTotal: number): vscode.CodeLens[] {
  const { uri } = file;
  const top = new vscode.Range(0, 0, 0, 0);
  const ofFile = fileCommands(file).map((command) => new vscode.CodeLens(top, command));
  if (isWhole(file)) return ofFile;
  return ofFile.concat(
    file.hunks.flatMap((hunk) => {
      const line = Math.max(0, Math.min(hunk.startLine, lineTotal - 1));
      return hunkActions.map((action) => new HunkLens(line, { uri, hunk, action }));
    }),
  );
}

const nouns = { created: "New File", deleted: "Deletion", moved: "Move" };

function fileCommands({ uri, kind, hunks }: ChangedFile): vscode.Command[] {
  const [accept, reject] =
    kind === "changed"
      ? [`Accept All ${plural(hunks.length, "Hunk")}`, "Reject All"]
      : [`Accept ${nouns[kind]}`, `Reject ${nouns[kind]}`];
  return [
    {
      title: accept,
      command: commands.reviewAcceptFile,
      arguments: [uri],
      tooltip: "Keeps all changes that the agent made in this file",
    },
    {
      title: reject,
      command: commands.reviewRejectFile,
      arguments: [uri],
      tooltip: "Restores the file as it was before the agent",
    },
    { title: "Next", command: commands.reviewNext, tooltip: "Goes to the next hunk" },
  ];
}

function commandOf({ uri, hunk, action }: HunkLens): vscode.Command {
  const arguments_ = [uri, hunk.id];
  switch (action) {
    case "accept":
      return {
        title: "Accept",
        command: commands.reviewAcceptHunk,
        arguments: arguments_,
        tooltip: "Keeps these lines",
      };
    case "reject":
      return {
        title: "Reject",
        command: commands.reviewRejectHunk,
        arguments: arguments_,
        tooltip: "Restores the lines as they were before the agent",
      };
    case "diff":
      return {
        title: `Show Diff ${lineCounts(hunk)}`,
        command: commands.reviewDiff,
        arguments: arguments_,
        tooltip: `Compares the file with its text before the agent (${hunk.lineCount} added, ${hunk.before.length} removed)`,
      };
  }
}

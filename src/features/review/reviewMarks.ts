import * as vscode from "vscode";
import type { ChangedFile, PendingChanges } from "../../session/changes/pendingChanges.ts";
import { commands, contexts } from "../../shared/ids.ts";
import { sidesOf } from "./originalFiles.ts";
import { describeAll, placesOf, plural } from "./places.ts";

/** What the window shows about pending hunks outside of editors: status bar, badges of files, contexts of commands. */
export interface ReviewMarks extends vscode.Disposable {
  refresh(): void;
}

export function createReviewMarks(changes: PendingChanges): ReviewMarks {
  const item = vscode.window.createStatusBarItem("inference.review", vscode.StatusBarAlignment.Left, 20);
  item.name = "Hunks to Review";
  item.command = commands.reviewNext;
  const badges = new vscode.EventEmitter<vscode.Uri[]>();
  const provider = vscode.window.registerFileDecorationProvider({
    onDidChangeFileDecorations: badges.event,
    provideFileDecoration(uri) {
      const file = changes.fileOf(uri);
      return file && { badge: "±", tooltip: `${describeFile(file)} to review`, propagate: true };
    },
  });
  let marked = new Map<string, string>();
  const markFiles = (files: readonly ChangedFile[]) => {
    const now = new Map(files.map((file) => [file.uri.toString(), describeFile(file)]));
    const differing = [...new Set([...marked.keys(), ...now.keys()])].filter(
      (uri) => marked.get(uri) !== now.get(uri),
    );
    const isSameSet = marked.size === now.size && [...now.keys()].every((uri) => marked.has(uri));
    marked = now;
    if (differing.length > 0) badges.fire(differing.map((uri) => vscode.Uri.parse(uri, true)));
    if (!isSameSet) setContexts(files);
  };
  return {
    refresh() {
      const { files } = changes;
      markFiles(files);
      if (files.length === 0) return item.hide();
      const text = describeAll(files);
      item.text = `$(diff-multiple) ${text} to review`;
      item.tooltip = `${text} of an agent wait for your review. Select to go to the next one.`;
      item.accessibilityInformation = { label: `${text} to review` };
      item.show();
    },
    dispose() {
      setContexts([]);
      item.dispose();
      provider.dispose();
      badges.dispose();
    },
  };
}

function describeFile(file: ChangedFile): string {
  return plural(placesOf([file]).length, "hunk");
}

/** `resource in …` finds the file of an editor among the keys. The side now of a deleted file stands for it. */
function setContexts(files: readonly ChangedFile[]): void {
  const uris = files.flatMap((file) => [file.uri, sidesOf(file)[1]]);
  const byUri = Object.fromEntries(uris.map((uri) => [uri.toString(), true]));
  void vscode.commands.executeCommand("setContext", contexts.reviewFiles, byUri);
  void vscode.commands.executeCommand("setContext", contexts.reviewing, files.length > 0);
}
